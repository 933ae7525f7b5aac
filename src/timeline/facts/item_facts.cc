#include "timeline/facts/item_facts.h"

#include <algorithm>

#include "event/colours.h"

namespace tracebraid::timeline {
namespace {

constexpr uint8_t kUnknown = 254;
constexpr size_t kBatch = 64;  // rows whose memory is requested before they are read

void read_strings(const PackedColumn<StringId>& column, std::span<const uint32_t> rows,
                  std::span<uint32_t> names) {
  // A loop that only requests memory waits for many rows at once.
  const auto request = [&](size_t first) {
    const size_t end = std::min(first + kBatch, rows.size());
    for (size_t i = first; i < end; ++i) column.ints().prefetch(rows[i]);
  };
  request(0);
  for (size_t first = 0; first < rows.size(); first += kBatch) {
    if (first + kBatch < rows.size()) request(first + kBatch);
    const size_t end = std::min(first + kBatch, rows.size());
    for (size_t i = first; i < end; ++i) names[i] = column[rows[i]].row;
  }
}

template <class Column>
void read_ids(const Column& column, std::span<const uint32_t> rows, std::span<uint32_t> names) {
  for (size_t i = 0; i < rows.size(); ++i) names[i] = column[rows[i]].row;
}

uint8_t numbered(std::string_view reserved) {
  const std::optional<uint32_t> number = reserved_colour_number(reserved);
  return number ? static_cast<uint8_t>(kPaletteSize + *number) : kNoColour;
}

}  // namespace

ItemFacts::ItemFacts(const Store& store)
    : store_(store), colours_(std::make_unique<std::atomic<uint8_t>[]>(store.strings.size())) {
  for (uint32_t id = 0; id < store.strings.size(); ++id)
    colours_[id].store(kUnknown, std::memory_order_relaxed);
  const JsonEventColorTable& chosen = store.json.colours;
  for (size_t row = 0; row < chosen.rows(); ++row) {
    if (!chosen.kind[row] || store.strings.get(chosen.kind[row]) != "slice") continue;
    if (!chosen.cname[row]) continue;
    const uint8_t colour = numbered(store.strings.get(chosen.cname[row]));
    if (colour != kNoColour) chosen_.emplace_back(chosen.row_id[row], colour);
  }
  std::ranges::stable_sort(chosen_, {}, &std::pair<uint32_t, uint8_t>::first);
}

void ItemFacts::read_names(TableKind kind, std::span<const uint32_t> rows,
                           std::span<uint32_t> names) const {
  switch (kind) {
    case TableKind::Slice:
      return read_strings(store_.slices.name, rows, names);
    case TableKind::ThreadState:
      return read_strings(store_.thread_states.state, rows, names);
    case TableKind::State:
      return read_ids(store_.states.value, rows, names);
    case TableKind::Log:
      return read_strings(store_.logs.tag, rows, names);
    case TableKind::Ftrace:
      return read_strings(store_.ftrace_events.name, rows, names);
    case TableKind::JsonSample:
      return read_strings(store_.json_samples.name, rows, names);
    case TableKind::Sample:
      return read_strings(store_.profiler_samples.source, rows, names);
    case TableKind::Snapshot:
      return read_ids(store_.json.snapshots.type_name, rows, names);
    case TableKind::Dump:
      return read_ids(store_.json.memory_dumps.name, rows, names);
    case TableKind::Sched:
      for (size_t i = 0; i < rows.size(); ++i) names[i] = store_.sched.utid[rows[i]];
      return;
    case TableKind::Counter:
      std::ranges::fill(names, kNoName);
  }
}

uint8_t ItemFacts::colour(TableKind kind, uint32_t row, uint32_t name) const {
  if (kind == TableKind::Sched) return colour_of_thread(name);
  if (kind == TableKind::ThreadState) return colour_of_state(row, name);
  if (kind == TableKind::Slice && !chosen_.empty()) {
    const auto at =
        std::ranges::lower_bound(chosen_, row, {}, &std::pair<uint32_t, uint8_t>::first);
    if (at != chosen_.end() && at->first == row) return at->second;
  }
  return colour_of_text({name});
}

uint8_t ItemFacts::colour_of_text(StringId name) const {
  if (!name) return kNoColour;
  std::atomic<uint8_t>& known = colours_[name.row];
  uint8_t colour = known.load(std::memory_order_relaxed);
  if (colour == kUnknown) {
    colour = static_cast<uint8_t>(palette_index(store_.strings.get(name)));
    known.store(colour, std::memory_order_relaxed);
  }
  return colour;
}

// Threads of one process have one colour, so that it is seen on all CPUs. Idle CPUs are pale.
uint8_t ItemFacts::colour_of_thread(uint32_t utid) const {
  if (store_.threads.is_idle[utid] != 0) return numbered("thread_state_sleeping");
  const uint32_t upid = store_.threads.upid[utid].row;
  if (upid != OptRow::kNull && store_.processes.name[upid])
    return colour_of_text(store_.processes.name[upid]);
  return colour_of_text(store_.threads.name[utid]);
}

uint8_t ItemFacts::colour_of_state(uint32_t row, uint32_t name) const {
  const StringId id{name};
  const std::string_view state = id ? store_.strings.get(id) : std::string_view();
  if (state == "Running") return numbered("thread_state_running");
  if (state.starts_with("R")) return numbered("thread_state_runnable");
  if (state.starts_with("D"))
    return numbered(store_.thread_states.io_wait[row].row == 1 ? "thread_state_iowait"
                                                               : "thread_state_uninterruptible");
  return numbered(state.starts_with("S") ? "thread_state_sleeping" : "thread_state_unknown");
}

bool ItemFacts::has_flows(uint32_t slice) const {
  if (!any_flows()) return false;
  std::call_once(flows_once_, [this] { find_flows(); });
  return (with_flows_[slice / 64] >> slice % 64 & 1) != 0;
}

void ItemFacts::find_flows() const {
  with_flows_.resize(store_.slices.rows() / 64 + 1);
  const auto add = [&](uint32_t slice) {
    if (slice < store_.slices.rows()) with_flows_[slice / 64] |= uint64_t{1} << slice % 64;
  };
  const FlowTable& flows = store_.flows;
  for (size_t row = 0; row < flows.rows(); ++row) {
    add(flows.slice_out[row]);
    add(flows.slice_in[row]);
  }
  const FlowViolationTable& violations = store_.flow_violations;
  for (size_t row = 0; row < violations.rows(); ++row) {
    add(violations.slice_out[row].row);
    add(violations.slice_in[row].row);
  }
}

std::optional<uint64_t> ItemFacts::cpu_time(uint32_t slice) const {
  const int64_t time = store_.slices.thread_dur.get(slice);
  if (time == OptInt::kNull || time < 0) return std::nullopt;
  return static_cast<uint64_t>(time);
}

}  // namespace tracebraid::timeline
