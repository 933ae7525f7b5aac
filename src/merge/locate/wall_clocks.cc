#include "merge/locate/wall_clocks.h"

#include <algorithm>
#include <set>

#include "event/arg_group.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

constexpr std::string_view kStatusName = "tracebraid.clock_status";
constexpr std::string_view kErrorKey = "adjtimex.maxerror_us", kStatusKey = "adjtimex.status";
constexpr int64_t kUnsynchronized = 0x40;                   // STA_UNSYNC of adjtimex()
constexpr int64_t kMostErrorUs = 16'000'000, kUsNs = 1000;  // the kernel's for "unknown"

// The keys of a batch by their meaning.
enum class StatusArg : uint8_t { Other, Error, Status };

std::vector<StatusArg> args_of(const EventBatch& batch) {
  std::vector<StatusArg> args;
  for (const ArgKey& each : batch.args.keys) {
    const std::string_view key = without_arg_group(batch.strings.get(each.key));
    args.push_back(key == kErrorKey    ? StatusArg::Error
                   : key == kStatusKey ? StatusArg::Status
                                       : StatusArg::Other);
  }
  return args;
}

// Returns the error that an event states, ns.
std::optional<int64_t> error_of(const Event& event, const EventBatch& batch,
                                const std::vector<StatusArg>& args) {
  std::optional<int64_t> error_ns;
  if (event.args == kNone) return error_ns;
  for (const ArgRow* at = &batch.args.rows[event.args];; ++at) {
    const bool is_number = at->type == ArgType::Int || at->type == ArgType::Uint;
    if (is_number && args[at->key] == StatusArg::Status && (at->value & kUnsynchronized) != 0)
      return kUnbounded;
    if (is_number && args[at->key] == StatusArg::Error)
      error_ns = at->value >= 0 && at->value < kMostErrorUs ? at->value * kUsNs : kUnbounded;
    if (error_ns == kUnbounded || at->last) return error_ns;
  }
}

}  // namespace

std::vector<StatedWallClock> read_wall_clocks(const Trackers& trackers) {
  std::vector<StatedWallClock> all;
  for (size_t i = 0; i < trackers.batches.size(); ++i) {
    const EventBatch& batch = *trackers.batches[i].batch;
    const StringId name = batch.strings.find(kStatusName);
    if (!name) continue;
    const std::vector<StatusArg> args = args_of(batch);
    for (const Stream& stream : batch.streams)
      for (const Event& event : stream.events) {
        if (event.name != name || event.what() != EventKind::Instant) continue;
        if (const std::optional<int64_t> error = error_of(event, batch, args))
          all.push_back({i, batch.clocks[event.clock].machine, *error});
      }
  }
  return all;
}

WallClockErrors wall_clock_errors(std::span<const StatedWallClock> stated,
                                  std::span<const FileToLocate> files, const Trackers& trackers,
                                  std::vector<Problem>& warnings) {
  WallClockErrors errors;
  std::set<size_t> warned;
  for (const StatedWallClock& clock : stated) {
    const BatchTrackers& batch = trackers.batches[clock.batch];
    const MachineId machine = trackers.at(batch.by_machine[clock.machine]).machine;
    int64_t& worst = errors.try_emplace(machine, clock.error_ns).first->second;
    worst = std::max(worst, clock.error_ns);
    if (clock.error_ns != kUnbounded || !warned.insert(batch.file).second) continue;
    const FileToLocate& file = files[batch.file];
    warnings.push_back({file.name && !file.name->empty() ? *file.name : file.manifest_path,
                        {ErrorCode::BadInput,
                         "its wall clock was not synchronized: times of other machines that meet "
                         "it on wall-clock time have no bound"}});
  }
  return errors;
}

int64_t wall_clock_distance(MachineId a, MachineId b, const WallClockErrors& errors) {
  const auto error_of_machine = [&](MachineId machine) {
    const auto at = errors.find(machine);
    return at == errors.end() ? default_uncertainty_ns(EvidenceKind::Rendezvous) / 2 : at->second;
  };
  return add_uncertainty(error_of_machine(a), error_of_machine(b));
}

}  // namespace tracebraid
