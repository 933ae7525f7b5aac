// Slices of file operations: pairs begins and ends by their request pointer, in order of time.
#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "format/proto/etw/etw.h"

namespace tracebraid::proto {
namespace {

class OperationSlices {
 public:
  OperationSlices(uint32_t machine, PacketOutput& out)
      : machine_(machine), out_(out), type_(out.sink.string("etw_fileio")) {}

  void add(const EtwFileOperation& operation) {
    if (!operation.request) return add_alone(operation, operation.args);
    const auto known = open_.find(*operation.request);
    if (operation.is_end) {
      if (known == open_.end()) return add_alone(operation, with_missing(operation.args, "Start"));
      open_.erase(known);
      out_.sink.event(make_slice_end(operation.time, track(operation), {.args = operation.args}));
      return;
    }
    if (known != open_.end()) abandon(*known->second, operation.time);
    open_[*operation.request] = &operation;
    out_.sink.event(make_slice_begin(operation.time, track(operation),
                                     {.name = operation.name, .args = operation.args}));
  }

  // Ends all operations that are open at the end of the file.
  void finish(const EventTime& time) {
    std::vector<const EtwFileOperation*> left;
    for (const auto& [request, operation] : open_) left.push_back(operation);
    std::ranges::sort(left);  // elements of one list: in order of time
    for (const EtwFileOperation* operation : left) abandon(*operation, time);
  }

 private:
  uint32_t track(const EtwFileOperation& operation) {
    return out_.tracks.track({.scope = TrackScope::Thread,
                              .lanes = Lanes::ByCookie,
                              .machine = machine_,
                              .owner = operation.thread,
                              .type = type_,
                              .cookie = operation.request.value_or(0)});
  }
  void add_alone(const EtwFileOperation& operation, uint32_t args) {
    out_.sink.event(
        make_slice(operation.time, track(operation), 0, {.name = operation.name, .args = args}));
  }
  // The operation has no end: its slice ends at its own begin.
  void abandon(const EtwFileOperation& operation, const EventTime& time) {
    out_.sink.event(make_slice_end_at_begin(time, track(operation), with_missing(kNone, "End")));
  }
  // Returns a copy of the set with one more arg.
  uint32_t with_missing(uint32_t set, std::string_view which) {
    const std::vector<ArgRow>& rows = out_.sink.batch().args.rows;
    out_.sink.open_args();
    for (size_t i = set; set != kNone; ++i) {
      const ArgRow row = rows[i];
      out_.sink.arg(row.key, row.type, row.value);
      if (row.last) break;
    }
    add_text("Missing Event", which, out_.sink);
    return out_.sink.close_args();
  }

  uint32_t machine_;
  PacketOutput& out_;
  StringId type_;
  absl::flat_hash_map<uint64_t, const EtwFileOperation*> open_;  // by request pointer
};

}  // namespace

void finish_etw_events(uint32_t machine, EtwState& state, PacketOutput& out) {
  if (state.operations.empty()) return;
  std::ranges::stable_sort(state.operations, {},
                           [](const EtwFileOperation& each) { return each.time.ticks; });
  OperationSlices slices(machine, out);
  for (const EtwFileOperation& operation : state.operations) slices.add(operation);
  slices.finish(state.operations.back().time);
}

}  // namespace tracebraid::proto
