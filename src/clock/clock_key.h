// ClockKey: which clock it is, among the clocks of all files and machines.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/id.h"

namespace tracebraid {

// Clock domains that files agree on (spec clocks 1.3).
namespace domain {
inline constexpr uint32_t kRealtime = 1;
inline constexpr uint32_t kRealtimeCoarse = 2;
inline constexpr uint32_t kMonotonic = 3;
inline constexpr uint32_t kMonotonicCoarse = 4;
inline constexpr uint32_t kMonotonicRaw = 5;
inline constexpr uint32_t kBoottime = 6;
inline constexpr uint32_t kPrivate = 11;  // one file's own timeline
}  // namespace domain

struct ClockKey {
  uint32_t domain = 0;
  uint32_t sequence = 0;  // 0, or the writer that the clock belongs to
  FileId file = {};       // none, or the file that the clock belongs to
  MachineId machine = {};
  friend constexpr auto operator<=>(const ClockKey&, const ClockKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ClockKey& key) {
    return H::combine(std::move(h), key.domain, key.sequence, key.file, key.machine);
  }
};

// REALTIME ... BOOTTIME; empty for every other domain (spec clocks 12.1).
std::string_view clock_name(uint32_t domain);

// How good the evidence for a relation is, best first. The names are those of
// the placement report.
enum class EvidenceKind : uint8_t {
  SameClock,   // two files of one machine show the same clock
  Measured,    // both were read together
  Relayed,     // estimated from messages between two machines
  Manifest,    // stated by the user
  Rendezvous,  // two machines follow wall-clock time
  Guessed,     // assumed to be zero apart, for want of anything better
};
std::string_view name_of(EvidenceKind kind);

// Where it comes from, if not from where evidence of its kind usually does.
enum class EvidenceSource : uint8_t {
  Usual,
  SyncMarker,    // both noted one moment
  TaskSwitches,  // both saw the same tasks switch
  StartTime,     // the file says when it was started
  Date,          // or, to the second, recorded
};
std::string_view name_of(EvidenceKind kind, EvidenceSource source);

// How far off one observation may be, ns, unless its source says so.
inline constexpr int64_t kUnbounded = INT64_MAX;

// Of two that come together.
constexpr int64_t add_uncertainty(int64_t a_ns, int64_t b_ns) {
  int64_t sum = 0;
  return __builtin_add_overflow(a_ns, b_ns, &sum) ? kUnbounded : sum;
}
constexpr int64_t default_uncertainty_ns(EvidenceKind kind) {
  switch (kind) {
    case EvidenceKind::SameClock:
    case EvidenceKind::Manifest:
      return 0;
    case EvidenceKind::Measured:
      return 1'000;  // the clocks are read one after the other
    case EvidenceKind::Relayed:
      return 1'000'000;
    case EvidenceKind::Rendezvous:
      return 10'000'000;  // both machines disciplined by NTP
    case EvidenceKind::Guessed:
      break;
  }
  return kUnbounded;
}

}  // namespace tracebraid
