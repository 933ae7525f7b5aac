#include "clock/clock_key.h"

namespace tracebraid {

std::string_view clock_name(uint32_t domain) {
  switch (domain) {
    case domain::kRealtime:
      return "REALTIME";
    case domain::kRealtimeCoarse:
      return "REALTIME_COARSE";
    case domain::kMonotonic:
      return "MONOTONIC";
    case domain::kMonotonicCoarse:
      return "MONOTONIC_COARSE";
    case domain::kMonotonicRaw:
      return "MONOTONIC_RAW";
    case domain::kBoottime:
      return "BOOTTIME";
    default:
      return {};
  }
}

std::string_view name_of(EvidenceKind kind) {
  switch (kind) {
    case EvidenceKind::SameClock:
      return "same_clock";
    case EvidenceKind::Measured:
      return "measured";
    case EvidenceKind::Relayed:
      return "relayed";
    case EvidenceKind::Manifest:
      return "manifest";
    case EvidenceKind::Rendezvous:
      return "rendezvous";
    case EvidenceKind::Guessed:
      break;
  }
  return "guessed";
}

}  // namespace tracebraid
