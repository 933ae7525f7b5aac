#include "assemble/flows/json_flows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "assemble/saturate.h"
#include "assemble/stats.h"
#include "event/event_kind.h"
#include "event/json_ids.h"

namespace tracebraid {

JsonFlows::JsonFlows(DeferredArgs& args, Problems& problems, JoinFlows join, Causality& causality,
                     Store& store)
    : args_(args),
      problems_(problems),
      join_(join),
      causality_(causality),
      store_(store),
      slices_(store.slices),
      table_(store.flows),
      strings_(store.strings) {}

void JsonFlows::add(const JsonFlowEvent& from, const TrackName& where) {
  const Event& event = *from.event;
  args_.hold({from.batch, event.args});
  pending_.push_back({.ts = event.ts,
                      .sequence = from.sequence,
                      .id = event.value,
                      .extra = from.extra,
                      .name = event.name,
                      .category = event.category,
                      .args = {from.batch, event.args},
                      .track_row = from.track_row,
                      .slices_before = static_cast<uint32_t>(slices_.ts.size()),
                      .file = where.file,
                      .machine = where.machine,
                      .kind = event.what()});
}

void JsonFlows::bind(const Tracks& tracks) {
  if (pending_.empty()) return;
  std::ranges::sort(pending_, {}, &Pending::sequence);
  if (store_.json.linked_ids.rows() > 0) gather_ids();
  gather_slices(tracks);
  for (const Pending& at : pending_) bind(at);
  count_unended();
  pending_ = {};
  active_ = {};
  threads_ = {};
}

void JsonFlows::bind(const Pending& at) {
  const Key key = key_of(at);
  const auto flow = active_.find(key);
  Active* const active = flow == active_.end() ? nullptr : &flow->second;
  const uint32_t slice = target(at);
  note(at, key, slice);
  const bool is_end = at.kind != EventKind::FlowStart && at.kind != EventKind::FlowStep;
  if (is_end && active == nullptr) return count(stats::flow_end_without_start, at);
  if (slice == kNone) return count(stats::flow_no_enclosing_slice, at);
  if (is_end) return end(at, slice, *active);
  if (at.kind == EventKind::FlowStart && active != nullptr && !active->has_ended)
    return count(stats::flow_duplicate_id, at);
  if (at.kind == EventKind::FlowStep) step(at, slice, active);
  const Active now{.slice = slice,
                   .ts = at.ts,
                   .args = at.args,
                   .callsite = at.extra.callsite,
                   .is_on_row = at.kind == EventKind::FlowStep && active != nullptr,
                   .machine = at.machine,
                   .file = at.file};
  if (active == nullptr)
    active_.emplace(key, now);
  else
    *active = now;
}

// Collects the ids in the form that links use. The text of an id that is not a plain number has
// three lines: the process of a local id, the scope, the id.
void JsonFlows::gather_ids() {
  const StringId usual_scope = store_.strings.intern("ptr");
  for (const Pending& at : pending_) {
    JsonKey& id = ids_.emplace_back();
    id.file = at.file;
    id.scope = usual_scope;
    if (!at.extra.text_id) {
      id.canonical = store_.strings.intern(std::to_string(static_cast<uint64_t>(at.id)));
      continue;
    }
    const std::string text(strings_.get(at.extra.text_id));
    const size_t scope = text.find('\n') + 1;
    const size_t spelling = text.find('\n', scope) + 1;
    const uint32_t utid = store_.tracks.utid[at.track_row].row;
    if (scope > 1 && utid != OptRow::kNull) id.upid = store_.threads.upid[utid].row;
    if (spelling > scope + 1)
      id.scope = store_.strings.intern(text.substr(scope, spelling - 1 - scope));
    id.canonical = store_.strings.intern(canonical_id_text(text.substr(spelling)));
  }
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

JsonFlows::Key JsonFlows::key_of(const Pending& at) const {
  const bool is_joined = at.extra.text_id ? joins(join_, strings_.get(at.extra.text_id))
                                          : joins(join_, static_cast<uint64_t>(at.id));
  return {is_joined ? FileId{} : at.file,
          is_joined ? 0 : at.machine,
          at.id,
          at.extra.text_id,
          at.name,
          at.category};
}

void JsonFlows::note(const Pending& at, const Key& key, uint32_t slice) {
  if (std::get<FileId>(key) || at.kind == EventKind::FlowStep) return;
  const Causality::At moment{.kind = Causality::Kind::Legacy,
                             .id = static_cast<uint64_t>(at.id),
                             .text_id = at.extra.text_id,
                             .name = at.name,
                             .category = at.category,
                             .scope = {at.file, at.machine},
                             .ts = at.ts,
                             .slice = slice};
  at.kind == EventKind::FlowStart ? causality_.starts(moment) : causality_.ends(moment);
}

void JsonFlows::step(const Pending& at, uint32_t slice, Active* from) {
  if (from == nullptr)
    count(stats::flow_step_without_start, at);
  else
    add_row(*from, at, slice);
}

void JsonFlows::end(const Pending& at, uint32_t slice, Active& from) {
  add_row(from, at, slice);
  from.has_ended = true;
}

uint32_t JsonFlows::target(const Pending& at) {
  if (at.kind != EventKind::FlowEnd) return enclosing(at);
  if (prefers_enclosing(at.category))
    if (const uint32_t slice = enclosing(at); slice != kNone) return slice;
  return next(at);
}

// Returns whether producers of this category mean the slice around the end.
bool JsonFlows::prefers_enclosing(StringId category) {
  if (!category) return false;
  const auto [at, is_new] = prefers_enclosing_.try_emplace(category);
  if (is_new) {
    const std::string_view text = strings_.get(category);
    at->second = text.find("input") != text.npos || text.find("ipc.flow") != text.npos;
  }
  return at->second;
}

void JsonFlows::gather_slices(const Tracks& tracks) {
  std::vector<Thread*> of_track(store_.tracks.rows());
  for (const Pending& at : pending_) threads_.try_emplace(at.track_row);
  for (auto& [track, thread] : threads_) {
    of_track[track] = &thread;
    for (const uint32_t row : tracks.spill_rows(track)) {
      of_track[row] = &thread;
      thread.has_overflow = true;
    }
  }
  uint32_t row = 0;
  for (const uint32_t track : slices_.track_id.values()) {
    if (Thread* const thread = of_track[track]; thread != nullptr) thread->rows.push_back(row);
    ++row;
  }
}

// Returns the innermost slice of the thread with start <= ts <= end. Flow events come in order of
// time, so a slice that has ended is not needed for later ones.
uint32_t JsonFlows::enclosing(const Pending& at) {
  Thread& thread = threads_[at.track_row];
  if (!thread.has_overflow) return enclosing_nested(thread.rows, at);
  for (; thread.begun_rows < thread.rows.size(); ++thread.begun_rows) {
    const uint32_t row = thread.rows[thread.begun_rows];
    if (slices_.ts[row] > at.ts) break;
    thread.begun.push({slices_.ts[row], slices_.track_id[row] != at.track_row, row});
  }
  while (!thread.begun.empty()) {
    const Begun& inner = thread.begun.top();
    const int64_t dur = slices_.dur[inner.row];
    if (dur < 0 || end_of(inner.ts, dur) >= at.ts) return inner.row;
    thread.begun.pop();
  }
  return kNone;
}

// Among nested slices, the innermost around a time is the one that started last, or one around
// that.
uint32_t JsonFlows::enclosing_nested(std::span<const uint32_t> rows, const Pending& at) const {
  const auto starts = [&](uint32_t row) { return slices_.ts[row]; };
  // Rows made before the flow event are not later than it; some rows after them may be equally
  // early.
  auto after = std::ranges::lower_bound(rows, at.slices_before);
  if (after != rows.end() && starts(*after) <= at.ts)
    after = std::ranges::upper_bound(after, rows.end(), at.ts, {}, starts);
  if (after == rows.begin()) return kNone;
  uint32_t row = *(after - 1);
  while (row != kNone) {
    const int64_t dur = slices_.dur[row];
    if (dur < 0 || end_of(slices_.ts[row], dur) >= at.ts) return row;
    row = slices_.parent_id[row].row;
  }
  return kNone;
}

// Returns the first slice of the thread after the flow event.
uint32_t JsonFlows::next(const Pending& at) const {
  const std::vector<uint32_t>& rows = threads_.at(at.track_row).rows;
  const auto first = std::ranges::lower_bound(rows, at.slices_before);
  return first == rows.end() ? kNone : *first;
}

// Returns the shared layout for most arrows, which have only names and times.
uint32_t JsonFlows::times_only(const Active& from, const Pending& to) {
  const unsigned texts = (to.name ? 1U : 0U) | (to.category ? 2U : 0U);
  ArgLayout& layout = layouts_[texts];
  std::array<int64_t, 4> values{};
  std::vector<std::pair<uint32_t, ArgType>> args;
  size_t count = 0;
  const auto add = [&](std::string_view key, ArgType type, int64_t value) {
    values[count++] = value;
    if (!has_layout_[texts]) args.emplace_back(args_.now().key(key), type);
  };
  if (to.name) add("name", ArgType::String, to.name.row);
  if (to.category) add("cat", ArgType::String, to.category.row);
  add("start_ts", ArgType::Int, from.ts);
  add("end_ts", ArgType::Int, to.ts);
  if (!std::exchange(has_layout_[texts], true)) layout = ArgLayout(std::move(args));
  return args_.now().add(layout, std::span(values).first(count));
}

uint32_t JsonFlows::args_of(const Active& from, const Pending& to) {
  if (!from.args && !to.args && from.callsite == kNone && to.extra.callsite == kNone)
    return times_only(from, to);
  ArgsBuilder& args = args_.open();
  if (to.name) args.add_text("name", to.name);
  if (to.category) args.add_text("cat", to.category);
  args.add_set(from.args);
  args.add_set(to.args);
  args.add_int("start_ts", from.ts);
  args.add_int("end_ts", to.ts);
  if (from.callsite != kNone) args.add_int("start_callsite_id", from.callsite);
  if (to.extra.callsite != kNone) args.add_int("end_callsite_id", to.extra.callsite);
  return args.close();
}

// Counts starts that no other event followed.
void JsonFlows::count_unended() {
  for (const auto& [key, flow] : active_)
    if (!flow.is_on_row) problems_.count(stats::flow_start_without_end, flow.machine, flow.file);
}

void JsonFlows::add_row(Active& from, const Pending& to, uint32_t slice) {
  from.is_on_row = true;
  table_.slice_out.append(from.slice);
  table_.slice_in.append(slice);
  table_.trace_id.append({to.id});
  table_.arg_set_id.append({args_of(from, to)});
}

}  // namespace tracebraid
