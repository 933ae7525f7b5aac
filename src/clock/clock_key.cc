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

std::string_view name_of(EvidenceKind kind, EvidenceSource source) {
  static constexpr std::string_view kUsual[] = {"same_machine", "snapshot",   "messages",
                                                "manifest",     "wall_clock", "guess"};
  switch (source) {
    case EvidenceSource::SyncMarker:
      return "sync_marker";
    case EvidenceSource::TaskSwitches:
      return "task_switches";
    case EvidenceSource::StartTime:
      return "start_time";
    case EvidenceSource::Date:
      return "date";
    case EvidenceSource::Collectives:
      return "collectives";
    case EvidenceSource::Flows:
      return "flows";
    case EvidenceSource::Markers:
      return "markers";
    case EvidenceSource::Spans:
      return "spans";
    case EvidenceSource::SameEvents:
      return "same_events";
    case EvidenceSource::Logs:
      return "logs";
    case EvidenceSource::Rpc:
      return "rpc";
    case EvidenceSource::Packets:
      return "packets";
    case EvidenceSource::Wakeups:
      return "wakeups";
    case EvidenceSource::Barriers:
      return "barriers";
    case EvidenceSource::Mpi:
      return "mpi";
    case EvidenceSource::Usual:
      break;
  }
  return kUsual[static_cast<size_t>(kind)];
}

}  // namespace tracebraid
