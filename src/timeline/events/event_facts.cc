// Fields, owners, siblings and flows of single events.
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

#include "timeline/events/event.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostSiblings = 100, kMostFields = 200, kMostContextText = 4096;
constexpr size_t kBatch = 4096;

std::string text(const Store& store, StringId id) {
  return id ? std::string(store.strings.get(id)) : std::string();
}

// Collects fields that have a value.
struct Fields {
  std::vector<EventField> all;
  void add(std::string_view name, std::string value) {
    if (!value.empty()) all.push_back({name, std::move(value)});
  }
  void add(std::string_view name, OptRow value) {
    if (value.row != OptRow::kNull) add(name, std::to_string(value.row));
  }
};

std::string thread_text(const Store& store, OptRow utid) {
  if (utid.row == OptRow::kNull) return {};
  return fmt::format("{} (tid {})", text(store, store.threads.name[utid.row]),
                     store.threads.tid[utid.row]);
}

// Returns the name of a priority of Android logs.
std::string priority_text(int64_t priority) {
  constexpr std::string_view kNames[] = {"verbose", "debug", "info", "warn", "error", "fatal"};
  if (priority < 2 || priority > 7) return std::to_string(priority);
  return std::string(kNames[priority - 2]);
}

void add_thread_state(const Timeline& timeline, uint32_t row, Fields& fields) {
  const Store& store = timeline.store();
  const ThreadStateTable& states = store.thread_states;
  fields.add("io_wait", states.io_wait[row]);
  fields.add("blocked_function", text(store, states.blocked_function[row]));
  fields.add("waker", thread_text(store, states.waker_utid[row]));
  fields.add("waker_utid", states.waker_utid[row]);
  fields.add("waker_row", states.waker_id[row]);
  fields.add("irq_context", states.irq_context[row]);
  // How long the thread was runnable before it runs: the time since it was woken.
  const Timeline::Place place = timeline.place_of(TableKind::ThreadState, row);
  if (text(store, states.state[row]) != "Running") return;
  const std::optional<uint32_t> before = step(timeline, place.track, row, -1);
  if (before && text(store, states.state[*before]).starts_with("R") && states.dur[*before] >= 0 &&
      text(store, states.state[*before]) != "Running")
    fields.add("latency_ns", std::to_string(states.dur[*before]));
}

// Adds the values of all series of a stacked counter at the time of an event, and their total.
void add_series(const Timeline& timeline, uint32_t row, Fields& fields) {
  const Store& store = timeline.store();
  const uint32_t number = timeline.line_of(TableKind::Counter, row).track;
  if (number == kNoNode || !timeline.tracks()[number].is_stacked()) return;
  bool was_cold = false;
  const std::shared_ptr<const StackedValues> stack = timeline.stacked(number, was_cold);
  const auto at = std::ranges::lower_bound(stack->times, store.counters.ts[row]);
  if (at == stack->times.end()) return;
  const auto time = static_cast<size_t>(at - stack->times.begin());
  for (size_t series = 0; series < stack->series; ++series)
    fields.all.push_back({store.strings.get(timeline.tracks()[number].series[series]),
                          fmt::format("{}", stack->values[time * stack->series + series])});
  fields.add("total", fmt::format("{}", stack->totals.values()[time]));
}

// Adds what a memory dump says of the process: totals, and bytes by allocator.
void add_dump(const Store& store, uint32_t row, Fields& fields) {
  const JsonMemoryDumpTable& dumps = store.json.memory_dumps;
  fields.add("dump_id", text(store, dumps.dump_id[row]));
  fields.add("level_of_detail", text(store, dumps.level_of_detail[row]));
  if (dumps.dur[row] > 0) fields.add("collected_within_ns", std::to_string(dumps.dur[row]));
  const uint32_t process = dumps.process_snapshot_id[row].row;
  if (process == OptRow::kNull) return;
  const JsonMemoryTotalTable& totals = store.json.memory_totals;
  for (uint32_t at = 0; at < totals.rows(); ++at)
    if (totals.process_snapshot_id[at] == process)
      fields.add(store.strings.get(totals.name[at]), std::to_string(totals.value[at]));
  const MemorySnapshotNodeTable& nodes = store.memory_snapshot_node;
  for (uint32_t at = 0; at < nodes.rows(); ++at) {
    if (nodes.process_snapshot_id[at].row != process ||
        nodes.parent_node_id[at].row != OptRow::kNull || !nodes.path[at])
      continue;
    const OptInt bytes =
        nodes.effective_size[at].value == OptInt::kNull ? nodes.size[at] : nodes.effective_size[at];
    if (bytes.value != OptInt::kNull)
      fields.add(store.strings.get(nodes.path[at]), std::to_string(bytes.value));
    if (fields.all.size() >= kMostFields) return;
  }
}

// Adds the contexts that were active when a slice began: types and ids.
void add_contexts(const Store& store, uint32_t row, Fields& fields) {
  const JsonSliceContextTable& of_slices = store.json.slice_contexts;
  const JsonContextTable& contexts = store.json.contexts;
  std::string all;
  for (uint32_t at = 0; at < of_slices.rows() && all.size() < kMostContextText; ++at) {
    if (of_slices.slice_id[at] != row) continue;
    const uint32_t context = of_slices.context_id[at];
    fmt::format_to(std::back_inserter(all), "{}{} {}", all.empty() ? "" : ", ",
                   text(store, contexts.type_name[context]),
                   text(store, contexts.object_id[context]));
  }
  fields.add("contexts", std::move(all));
}

// The name of an event, as siblings compare it.
template <class Each>
void for_each_named(const Timeline& timeline, TableKind kind, const Stop& stop, Each each) {
  const auto rows = static_cast<uint32_t>(timeline.table(kind).keys.rows);
  std::vector<uint32_t> some, names;
  for (uint32_t first = 0; first < rows && !stop.requested(); first += kBatch) {
    some.clear();
    for (uint32_t row = first; row < std::min<uint64_t>(uint64_t{first} + kBatch, rows); ++row)
      some.push_back(row);
    names.resize(some.size());
    timeline.facts().read_names(kind, some, names);
    for (size_t i = 0; i < some.size(); ++i) each(some[i], names[i]);
    if (rows - first <= kBatch) break;
  }
}

}  // namespace

std::vector<EventField> fields_of(const Timeline& timeline, TableKind kind, uint32_t row) {
  const Store& store = timeline.store();
  Fields fields;
  switch (kind) {
    case TableKind::Slice:
      add_contexts(store, row, fields);
      break;
    case TableKind::Sched:
      fields.add("end_state", text(store, store.sched.end_state[row]));
      fields.add("priority", std::to_string(store.sched.priority[row]));
      break;
    case TableKind::ThreadState:
      add_thread_state(timeline, row, fields);
      break;
    case TableKind::Log:
      fields.add("priority", priority_text(store.logs.prio[row]));
      fields.add("tag", text(store, store.logs.tag[row]));
      fields.add("message", text(store, store.logs.msg[row]));
      fields.add("source", text(store, store.logs.log_source[row]));
      break;
    case TableKind::Counter:
      fields.add("unit", text(store, store.tracks.counter_unit[store.counters.track_id[row]]));
      add_series(timeline, row, fields);
      break;
    case TableKind::Dump:
      add_dump(store, row, fields);
      break;
    case TableKind::Sample:
      fields.add("source", text(store, store.profiler_samples.source[row]));
      fields.add("callsite_id", store.profiler_samples.callsite_id[row]);
      fields.add("unwind_error", text(store, store.profiler_samples.unwind_error[row]));
      break;
    case TableKind::JsonSample:
      fields.add("source", text(store, store.json_samples.source[row]));
      fields.add("callsite_id", store.json_samples.callsite_id[row]);
      fields.add("weight", fmt::format("{}", store.json_samples.weight[row]));
      break;
    case TableKind::Snapshot: {
      const uint32_t instance = store.json.snapshots.instance_id[row];
      fields.add("object_id", text(store, store.json.instances.object_id[instance]));
      fields.add("value", text(store, store.json.snapshots.raw_json[row]));
      break;
    }
    default:
      break;
  }
  return std::move(fields.all);
}

EventOwners owners_of(const Timeline& timeline, TableKind kind, uint32_t row) {
  const Timeline::LinePlace place = timeline.line_of(kind, row);
  if (place.track == kNoNode) return {};
  const TreeTrack& track = timeline.tracks()[place.track];
  EventOwners owners{track.machine, track.file, track.upid, track.utid, track.ucpu};
  const Store& store = timeline.store();
  switch (kind) {
    case TableKind::Sched:
      owners.utid = {store.sched.utid[row]};
      break;
    case TableKind::ThreadState:
      owners.ucpu = store.thread_states.ucpu[row];
      break;
    case TableKind::Log:
      owners.utid = store.logs.utid[row];
      break;
    case TableKind::Ftrace:
      owners.utid = store.ftrace_events.utid[row];
      break;
    case TableKind::Snapshot:
      owners.utid = {store.json.snapshots.utid[row]};
      break;
    default:
      break;
  }
  if (owners.utid.row != OptRow::kNull && owners.upid.row == OptRow::kNull)
    owners.upid = store.threads.upid[owners.utid.row];
  return owners;
}

OptRow args_of(const Store& store, TableKind kind, uint32_t row) {
  switch (kind) {
    case TableKind::Slice:
      return store.slices.arg_set_id[row];
    case TableKind::Counter:
      return store.counters.arg_set_id[row];
    case TableKind::State:
      return store.states.arg_set_id[row];
    case TableKind::Log:
      return store.logs.arg_set_id[row];
    case TableKind::Ftrace:
      return store.ftrace_events.arg_set_id[row];
    case TableKind::Snapshot:
      return store.json.snapshots.arg_set_id[row];
    case TableKind::Dump:
      return store.json.memory_dumps.arg_set_id[row];
    default:
      return {};
  }
}

Result<Siblings> siblings_of(const Timeline& timeline, TableKind kind, uint32_t row,
                             const Stop& stop) {
  const EventTable& table = timeline.table(kind);
  if (!table.has_lengths)
    return fail(ErrorCode::Usage, fmt::format("events of kind {} have no duration", name_of(kind)));
  uint32_t name = kNoName;
  timeline.facts().read_names(kind, {&row, 1}, {&name, 1});
  int64_t start = 0, own = 0;
  table.read_times({&row, 1}, {&start, 1}, {&own, 1});
  std::vector<std::pair<int64_t, uint32_t>> durations;
  for_each_named(timeline, kind, stop, [&](uint32_t other, uint32_t other_name) {
    if (other_name != name) return;
    int64_t ts = 0, duration = 0;
    table.read_times({&other, 1}, {&ts, 1}, {&duration, 1});
    if (duration >= 0) durations.emplace_back(duration, other);
  });
  if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
  Siblings siblings{.count = durations.size()};
  if (durations.empty()) return siblings;
  std::ranges::sort(durations);
  double sum = 0;
  for (const auto& [duration, other] : durations) sum += static_cast<double>(duration);
  const auto at = [&](double share) {
    return durations[std::min(durations.size() - 1,
                              static_cast<size_t>(share * static_cast<double>(durations.size())))]
        .first;
  };
  siblings.mean = sum / static_cast<double>(durations.size());
  siblings.min = durations.front().first;
  siblings.p50 = at(0.5);
  siblings.p95 = at(0.95);
  siblings.max = durations.back().first;
  const auto no_longer =
      std::ranges::upper_bound(durations, own, {}, &std::pair<int64_t, uint32_t>::first);
  siblings.percentile = 100.0 * static_cast<double>(no_longer - durations.begin()) /
                        static_cast<double>(durations.size());
  for (size_t i = durations.size(); i > 0 && siblings.longest.size() < kMostSiblings; --i)
    siblings.longest.push_back(durations[i - 1].second);
  return siblings;
}

std::pair<std::vector<FlowStep>, bool> flows_of(const Timeline& timeline, uint32_t slice,
                                                unsigned depth, size_t most) {
  const FlowIndex& index = timeline.flows();
  absl::flat_hash_set<uint32_t> seen_slices{slice}, seen_flows;
  std::deque<std::pair<uint32_t, unsigned>> waiting{{slice, 1}};
  std::vector<FlowStep> flows;
  while (!waiting.empty()) {
    const auto [at, distance] = waiting.front();
    waiting.pop_front();
    for (const uint32_t flow : index.of_slice(at)) {
      if (!seen_flows.insert(flow).second) continue;
      if (flows.size() == most) return {std::move(flows), true};
      flows.push_back({flow, distance});
      const FlowArrow arrow = index.arrow(flow);
      for (const uint32_t end : {arrow.out, arrow.in})
        if (distance < depth && seen_slices.insert(end).second)
          waiting.emplace_back(end, distance + 1);
    }
  }
  return {std::move(flows), false};
}

}  // namespace tracebraid::timeline
