// ClockKey: identifies a clock among the clocks of all files and machines. The lowest header of the
// folder: readers, the clock graph and the report name clocks by it.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/clock_domain.h"
#include "base/id.h"

namespace tracebraid {

struct ClockKey {
  uint32_t domain = 0;
  uint32_t sequence = 0;  // the sequence that owns the clock, or 0
  FileId file = {};       // the file that owns the clock, or none
  MachineId machine = {};
  friend constexpr auto operator<=>(const ClockKey&, const ClockKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ClockKey& key) {
    return H::combine(std::move(h), key.domain, key.sequence, key.file, key.machine);
  }
};

// Returns the name of a builtin clock, REALTIME ... BOOTTIME; empty for other domains (spec clocks
// 12.1).
std::string_view clock_name(uint32_t domain);

// The kind of evidence for a relation between two clocks, most trustworthy first. name_of() gives
// the names in the placement report.
enum class EvidenceKind : uint8_t {
  SameClock,   // two files of one machine use the same clock
  Measured,    // both clocks were read together
  Relayed,     // estimated from messages between two machines
  Manifest,    // stated by the user
  Rendezvous,  // two machines follow wall-clock time
  Guessed,     // assumed to be zero apart, because nothing relates them
};
std::string_view name_of(EvidenceKind kind);

// The source of evidence, if it is not the usual one of its kind.
enum class EvidenceSource : uint8_t {
  Usual,
  SyncMarker,    // both recordings noted one moment
  TaskSwitches,  // both recordings have the same task switches
  StartTime,     // the file states when it was started
  Date,          // the file states when it was recorded, to the second
  Collectives,   // both ranks ran the same operations of a group
  Flows,         // one recording has causes of effects in the other
  Markers,       // both recordings have events that the user wrote at one moment
  Spans,         // one recording has parents of spans in the other
  SameEvents,    // two recorders noted the events of one program
  Logs,          // both recordings have the same texts
  Rpc,           // one recording has calls that the other one answered
  Packets,       // one recording sent what the other one received
  Wakeups,       // one recording woke what ran in the other one
  Barriers,      // ranks passed the same barriers
  Mpi,           // ranks of MPI exchanged messages, or met in collectives
};
std::string_view name_of(EvidenceKind kind, EvidenceSource source);
inline constexpr EvidenceSource kLastSource = EvidenceSource::Mpi;

// The bound of something that has none, ns.
inline constexpr int64_t kUnbounded = INT64_MAX;

// Returns the sum of two bounds; kUnbounded on overflow.
constexpr int64_t add_uncertainty(int64_t a_ns, int64_t b_ns) {
  int64_t sum = 0;
  return __builtin_add_overflow(a_ns, b_ns, &sum) ? kUnbounded : sum;
}
// Returns the bound of one observation, ns, unless its source states one.
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
