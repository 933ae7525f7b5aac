#include "assemble/slices/slices.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "assemble/args/event_problem.h"
#include "assemble/stats.h"
#include "event/make_event.h"

namespace tracebraid {
namespace {

// Returns whether the ends of two slices, given with fractions of a microsecond, are equal in whole
// microseconds (spec json 4.4: producers round).
bool equal_when_rounded(int64_t a, int64_t b) {
  const auto rounded = [](int64_t ns) { return (ns + (ns < 0 ? -500 : 500)) / 1000; };
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max() - 1000;
  return a < kFar && b < kFar && a > -kFar && b > -kFar && rounded(a) == rounded(b);
}

// The task that appends to Slices::labels_.
struct LabelsTask {
  StringId name, category;
  uint32_t depth;
  OptRow parent;
};
constexpr size_t kTaskWords = sizeof(LabelsTask) / sizeof(uint64_t);
static_assert(sizeof(LabelsTask) == kTaskWords * sizeof(uint64_t));

// Most slices of a track that were cut and may still get an end of their own.
constexpr size_t kMaxCuts = 64;

bool is_fractional(int64_t ts, int64_t dur) { return ts % 1000 != 0 || dur % 1000 != 0; }

template <class T>
void reorder(PackedColumn<T>& column, const std::vector<uint32_t>& old_rows) {
  PackedColumn<T> sorted;
  for (const uint32_t row : old_rows) sorted.append(column[row]);
  column = std::move(sorted);
}

}  // namespace

Slices::Slices(TaskQueues& queues, std::span<const PlacedBatch> batches, DeferredArgs& args,
               Problems& problems, bool lenient_ends, Store& store)
    : args_(args),
      problems_(problems),
      lenient_ends_(lenient_ends),
      table_(store.slices),
      no_name_(store.strings.find("[No name]")),
      labels_(queues, append_labels) {
  for (const PlacedBatch& from : batches)
    if (from.batch.exact_ends) exact_files_.insert(from.file);
}

Slices::Stack& Slices::stack_of(uint32_t track_row) {
  if (track_row >= stacks_.size()) stacks_.resize(track_row + 1);
  return stacks_[track_row];
}

uint32_t Slices::begin(uint32_t track_row, const TrackName& where, const SliceEvent& from) {
  Stack& stack = stack_of(track_row);
  settle(stack, from.event->ts, false, where);
  Entry* entry = push(stack, track_row, where, from, -1, {});
  if (entry == nullptr) return kNone;
  entry->args = from.args();
  args_.hold(entry->args);
  return entry->row;
}

uint32_t Slices::begin_once(uint32_t track_row, const TrackName& where, const SliceEvent& from) {
  Stack& stack = stack_of(track_row);
  settle(stack, from.event->ts, false, where);
  for (const Entry& entry : stack) {
    if (!entry.is_open()) continue;
    if (from.from->batch.tie_rule == TieRule::TraceEventFormat) {
      count_event(stats::json_async_restart, where, *from.event, problems_, args_);
    } else {
      Restarts& restarts = restarts_[entry.row];
      ++restarts.count;
      restarts.last_ts = from.event->ts;
    }
    return kNone;
  }
  const uint32_t row = begin(track_row, where, from);
  if (row != kNone && from.from->batch.tie_rule != TieRule::TraceEventFormat)
    restarts_[row] = {1, from.event->ts};
  return row;
}

uint32_t Slices::end(uint32_t track_row, const TrackName& where, const SliceEvent& from,
                     EndRule rule) {
  Stack& stack = stack_of(track_row);
  const Event& event = *from.event;
  settle(stack, event.ts, false, where);
  const bool is_lenient = lenient_ends_ && rule == EndRule::JsonThread;
  size_t at = is_lenient ? innermost_open(stack) : find_open(stack, event, true);
  if (is_lenient && at != stack.size() && !has_name_of(event, stack[at]))
    count_mismatch(where, event, stack[at]);
  if (at == stack.size() && rule == EndRule::JsonThread && event.category) {
    at = find_open(stack, event, false);
    if (at != stack.size())
      count_event(stats::json_end_category_mismatch, where, event, problems_, args_);
  }
  if (at == stack.size()) {
    if (rule == EndRule::JsonThread && !is_of_cut(stack, event)) {
      count_event(stats::json_end_without_begin, where, event, problems_, args_);
      if (const size_t open = innermost_open(stack); open != stack.size())
        count_mismatch(where, event, stack[open]);
    }
    if (rule == EndRule::JsonAsync)
      count_event(stats::json_async_end_without_begin, where, event, problems_, args_);
    return kNone;
  }
  const Entry& entry = stack[at];
  const uint32_t row = entry.row;
  if (entry.times != kNone) times_.end(entry.times, from.extra(), rule);
  const uint32_t replaced = flush_args(entry, from.args());
  if (rule != EndRule::Matching)
    for (uint32_t i = 0; i < replaced; ++i)
      count_event(stats::json_arg_override, where, event, problems_, args_);
  const bool is_at_begin = event.value == static_cast<int64_t>(EndMark::AtBegin);
  close(stack, at, is_at_begin ? table_.ts[row] : event.ts);
  return row;
}

uint32_t Slices::complete(uint32_t track_row, const TrackName& where, const SliceEvent& from,
                          int64_t dur) {
  Stack& stack = stack_of(track_row);
  settle(stack, from.event->ts, dur == 0, where);
  if (stack.size() >= kMaxSliceDepth && dur == 0) return add_sibling(stack, track_row, from);
  const Entry* entry = push(stack, track_row, where, from, dur, from.args());
  return entry == nullptr ? kNone : entry->row;
}

uint32_t Slices::half_overlapped(uint32_t track_row, const TrackName& where, int64_t ts,
                                 int64_t dur) {
  Stack& stack = stack_of(track_row);
  settle(stack, ts, dur == 0, where);
  if (stack.empty()) return kNone;
  const bool spills = where.overlap == Overlap::Spill;
  const bool top_is_open = stack.back().is_open();
  if (spills && top_is_open) return kNone;  // the open slice may end at the same time
  const size_t closed = top_is_open ? stack.back().closed_below : stack.size();
  if (closed == 0) return kNone;
  const Entry& around = stack[closed - 1];
  if (around.end >= end_of(ts, dur)) return kNone;
  const bool rounds = spills && is_fractional(ts, dur) &&
                      is_fractional(table_.ts[around.row], table_.dur[around.row]) &&
                      equal_when_rounded(around.end, end_of(ts, dur)) &&
                      !exact_files_.contains(where.file);
  return rounds ? kNone : around.row;
}

uint32_t Slices::top(uint32_t track_row) const {
  if (track_row >= stacks_.size() || stacks_[track_row].empty()) return kNone;
  return stacks_[track_row].back().row;
}

uint32_t Slices::open_root(uint32_t track_row) const {
  if (track_row >= stacks_.size() || stacks_[track_row].empty()) return kNone;
  const Entry& root = stacks_[track_row].front();
  return root.is_open() ? root.row : kNone;
}

// Removes slices that have ended by `ts`. A closed slice lies under open ones if another slice than
// the innermost was ended; once `ts` has passed its end, the slices inside it end, too.
void Slices::settle(Stack& stack, int64_t ts, bool is_instant, const TrackName& where) {
  while (!stack.empty()) {
    const size_t closed = stack.back().is_open() ? stack.back().closed_below : stack.size();
    if (closed == 0) return;
    const Entry& entry = stack[closed - 1];
    const bool is_buried = closed < stack.size();
    const bool both_instant = is_instant && table_.ts[entry.row] == entry.end;
    const bool is_over = entry.end < ts || (entry.end == ts && !is_buried && !both_instant);
    if (!is_over || (is_buried && where.overlap == Overlap::Outlive)) return;
    if (is_buried) cut_open(stack, closed, where);
    stack.resize(closed - 1);
  }
}

// Ends the open slices from stack[above] on at the end of the slice below them.
void Slices::cut_open(Stack& stack, size_t above, const TrackName& where) {
  const int64_t end = stack[above - 1].end;
  problems_.count_at(stats::misplaced_end_event, where.machine, where.file, end);
  std::vector<Cut>& cuts = cuts_[static_cast<size_t>(&stack - stacks_.data())];
  for (size_t i = above; i < stack.size(); ++i) {
    if (!stack[i].is_open()) continue;
    table_.dur.at(stack[i].row) = duration_between(table_.ts[stack[i].row], end);
    flush_args(stack[i], {});
    cuts.push_back({stack[i].name});
  }
  if (cuts.size() > kMaxCuts)
    cuts.erase(cuts.begin(), cuts.end() - static_cast<ptrdiff_t>(kMaxCuts));
}

// Returns whether the end belongs to a slice that was cut, which was counted at the cut.
bool Slices::is_of_cut(const Stack& stack, const Event& end) {
  const auto at = cuts_.find(static_cast<size_t>(&stack - stacks_.data()));
  if (at == cuts_.end()) return false;
  std::vector<Cut>& cuts = at->second;
  const auto matches = [&](const Cut& cut) {
    return !end.name || !has_name(cut.name) || end.name == cut.name;
  };
  const auto found = std::find_if(cuts.rbegin(), cuts.rend(), matches);
  if (found == cuts.rend()) return false;
  cuts.erase(std::next(found).base());
  return true;
}

Slices::Entry* Slices::push(Stack& stack, uint32_t track_row, const TrackName& where,
                            const SliceEvent& from, int64_t dur, ArgSource args) {
  if (stack.size() >= kMaxSliceDepth) {
    problems_.count_at(stats::slice_max_depth_exceeded, where.machine, where.file, from.event->ts);
    return nullptr;
  }
  const Event& event = *from.event;
  Entry entry{.end = kOpen,
              .row = static_cast<uint32_t>(table_.ts.size()),
              .name = event.name,
              .category = event.category,
              .args = {}};
  OptRow parent;
  if (!stack.empty()) {
    parent.row = stack.back().row;
    entry.closed_below =
        stack.back().is_open() ? stack.back().closed_below : static_cast<uint32_t>(stack.size());
  }
  if (dur >= 0) {
    entry.end = end_of(event.ts, dur);
    if (entry.closed_below > 0) entry.end = std::min(entry.end, stack[entry.closed_below - 1].end);
  }
  append(track_row, event, dur, static_cast<uint32_t>(stack.size()), parent, args_.defer(args));
  if (const SliceExtra* extra = from.extra()) entry.times = times_.note(entry.row, *extra);
  stack.push_back(entry);
  return &stack.back();
}

// Adds a slice without length beside the deepest one, because no more can nest.
uint32_t Slices::add_sibling(const Stack& stack, uint32_t track_row, const SliceEvent& from) {
  const auto row = static_cast<uint32_t>(table_.ts.size());
  const OptRow parent{stack[kMaxSliceDepth - 2].row};
  append(track_row, *from.event, 0, kMaxSliceDepth - 1, parent, args_.defer(from.args()));
  if (const SliceExtra* extra = from.extra()) times_.note(row, *extra);
  return row;
}

void Slices::append(uint32_t track_row, const Event& event, int64_t dur, uint32_t depth,
                    OptRow parent, OptRow args) {
  table_.ts.append(event.ts);
  table_.dur.append(dur);
  table_.track_id.append(track_row);
  table_.arg_set_id.append(args);
  const LabelsTask task{event.name, event.category, depth, parent};
  std::memcpy(labels_.begin_task(kTaskWords), &task, sizeof task);
}

void Slices::append_labels(SliceLabels& labels, const TaskBlock& block) {
  for (const uint64_t* at = block.begin(); at < block.end(); at += kTaskWords) {
    LabelsTask task{};
    std::memcpy(&task, at, sizeof task);
    labels.name.append(task.name);
    labels.category.append(task.category);
    labels.depth.append(task.depth);
    labels.parent_id.append(task.parent);
  }
}

size_t Slices::find_open(const Stack& stack, const Event& end, bool with_category) const {
  for (size_t i = stack.size(); i-- > 0;) {
    const Entry& entry = stack[i];
    if (!entry.is_open()) continue;
    if (with_category && end.category && end.category != entry.category) continue;
    if (!has_name_of(end, entry)) continue;
    return i;
  }
  return stack.size();
}

size_t Slices::innermost_open(const Stack& stack) {
  const auto open =
      std::find_if(stack.rbegin(), stack.rend(), [](const Entry& e) { return e.is_open(); });
  return open == stack.rend() ? stack.size()
                              : static_cast<size_t>(std::distance(open, stack.rend())) - 1;
}

bool Slices::has_name_of(const Event& end, const Entry& entry) const {
  return !end.name || !has_name(entry.name) || end.name == entry.name;
}

// Counts an end that names another slice than the open one, with both names in the log.
void Slices::count_mismatch(const TrackName& where, const Event& end, const Entry& open) {
  if (!problems_.count_logged(stats::json_end_name_mismatch, where.machine, where.file)) return;
  ArgsBuilder& set = args_.open();
  set.add_text("event_name", end.name);
  set.add_text("open_slice_name", open.name);
  problems_.log({stats::json_end_name_mismatch, where.file, end.ts, set.close()});
}

void Slices::close(Stack& stack, size_t at, int64_t ts) {
  Entry& entry = stack[at];
  table_.dur.at(entry.row) = duration_between(table_.ts[entry.row], ts);
  if (at + 1 == stack.size()) {
    stack.pop_back();
    return;
  }
  entry.end = std::min(ts, kOpen - 1);
  for (size_t i = at + 1; i < stack.size(); ++i) {
    if (!stack[i].is_open()) stack[i].end = std::min(stack[i].end, entry.end);
    stack[i].closed_below = std::max(stack[i].closed_below, static_cast<uint32_t>(at) + 1);
  }
}

uint32_t Slices::flush_args(const Entry& entry, ArgSource closing) {
  const auto restarts = restarts_.empty() ? restarts_.end() : restarts_.find(entry.row);
  const bool restarted = restarts != restarts_.end();
  if (!closing && !restarted && entry.added == kNone) {
    if (entry.args) table_.arg_set_id.at(entry.row) = args_.defer(entry.args);
    args_.release(entry.args);
    return 0;
  }
  ArgsBuilder& args = args_.open();
  args.add_set(entry.args);
  if (entry.added != kNone)
    for (const ArgSource set : std::exchange(added_[entry.added], {})) args.add_set(set);
  if (restarted) {
    args.add_int("legacy_unnestable_begin_count", restarts->second.count);
    args.add_int("legacy_unnestable_last_begin_ts", restarts->second.last_ts);
    restarts_.erase(restarts);
  }
  const uint32_t replaced = closing ? args.add_closing_set(closing) : 0;
  table_.arg_set_id.at(entry.row) = OptRow{args.close()};
  args_.release(entry.args);
  return replaced;
}

uint32_t Slices::open_slice(uint32_t track_row, const TrackName& where, int64_t ts, StringId name) {
  Stack& stack = stack_of(track_row);
  settle(stack, ts, false, where);
  for (size_t i = stack.size(); i-- > 0;)
    if (stack[i].is_open() && stack[i].name == name) return stack[i].row;
  return kNone;
}

void Slices::add_args(uint32_t track_row, uint32_t slice, ArgSource set) {
  if (!set) return;
  Stack& stack = stack_of(track_row);
  const auto entry = std::ranges::find(stack, slice, &Entry::row);
  if (entry != stack.end() && entry->is_open()) {
    if (entry->added == kNone) {
      entry->added = static_cast<uint32_t>(added_.size());
      added_.emplace_back();
    }
    added_[entry->added].push_back(set);
    return;
  }
  ArgsBuilder& args = args_.open();
  args.add_stored(args_.resolved(table_.arg_set_id[slice]).row);
  args.add_set(set);
  table_.arg_set_id.at(slice) = OptRow{args.close()};
}

void Slices::add_child(uint32_t parent, int64_t ts, int64_t dur, StringId name, StringId category,
                       uint32_t arg_set_id) {
  Event event{};
  event.ts = ts;
  event.name = name;
  event.category = category;
  append(table_.track_id[parent], event, dur, labels().depth[parent] + 1, {parent}, {arg_set_id});
}

void Slices::finish_rows() {
  SliceLabels& labels = labels_.now();
  table_.name = std::move(labels.name);
  table_.category = std::move(labels.category);
  table_.depth = std::move(labels.depth);
  table_.parent_id = std::move(labels.parent_id);
}

std::vector<uint32_t> Slices::finish(Workers& workers) {
  for (const Stack& stack : stacks_)
    for (const Entry& entry : stack)
      if (entry.is_open()) flush_args(entry, {});
  stacks_ = {};
  args_.finish();
  bool is_sorted = false;
  {
    TaskGroup resolving(workers);
    resolving.add([this] { args_.resolve_placeholders(table_.arg_set_id); });
    is_sorted = std::ranges::is_sorted(table_.ts.values());
    resolving.wait();
  }
  std::vector<uint32_t> new_rows;
  if (!is_sorted) new_rows = sort_rows();
  times_.fill(table_);
  return new_rows;
}

std::vector<uint32_t> Slices::sort_rows() {
  std::vector<uint32_t> old_rows(table_.ts.size());
  std::iota(old_rows.begin(), old_rows.end(), 0);
  std::ranges::sort(old_rows, {}, [&](uint32_t row) { return std::pair(table_.ts[row], row); });
  std::vector<uint32_t> new_rows(old_rows.size());
  for (uint32_t i = 0; i < old_rows.size(); ++i) new_rows[old_rows[i]] = i;
  reorder(table_.ts, old_rows);
  reorder(table_.dur, old_rows);
  reorder(table_.track_id, old_rows);
  reorder(table_.category, old_rows);
  reorder(table_.name, old_rows);
  reorder(table_.depth, old_rows);
  reorder(table_.parent_id, old_rows);
  reorder(table_.arg_set_id, old_rows);
  for (size_t i = 0; i < table_.parent_id.size(); ++i) {
    const OptRow parent = table_.parent_id[i];
    if (parent.row != OptRow::kNull) table_.parent_id.at(i) = OptRow{new_rows[parent.row]};
  }
  times_.move_slices(new_rows);
  return new_rows;
}

}  // namespace tracebraid
