#include "assemble/json/slices.h"
#include "event/event_kind.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tracebraid {

void JsonSlices::began(const JsonEvent& at, const JsonExtra& extra, uint32_t track,
                       uint32_t slice) {
  if (extra.thread == kNone) {
    if (slice != kNone && extra.colour) colours_[slice] = extra.colour;
    return;
  }
  const uint32_t utid = identity_.thread(extra.thread);
  const uint32_t group = group_process(track, utid);
  if (slice == kNone || extra.id == kNone) return;
  if (extra.colour) colours_[slice] = extra.colour;
  Async row{};
  row.slice = slice;
  row.begin_utid = utid;
  if (at.event.what() == EventKind::Instant) row.end_utid = utid;
  row.group_upid = group;
  add(row, at.from, extra);
  if (extra.timing != kNone) {
    const JsonTiming& timing = at.from.batch.json.timings[extra.timing];
    timings_.push_back({slice, timing.group, timing.title, args_.set({at.batch, timing.args})});
  }
}

void JsonSlices::ended(const JsonExtra& extra, uint32_t track, uint32_t slice) {
  if (extra.thread == kNone) {
    if (slice != kNone && extra.colour) colours_[slice] = extra.colour;
    return;
  }
  const uint32_t utid = identity_.thread(extra.thread);
  group_process(track, utid);
  if (slice == kNone) return;
  // The colour of a legacy async is that of its begin (spec json 4.8).
  if (extra.colour && !extra.is_legacy) colours_[slice] = extra.colour;
  if (const auto of = async_of_.find(slice); of != async_of_.end())
    asyncs_[of->second].end_utid = utid;
}

void JsonSlices::step(uint32_t slice, uint32_t parent, const PlacedBatch& from,
                      const JsonExtra& extra) {
  Async row{};
  row.slice = slice;
  row.parent = parent;
  row.begin_utid = identity_.thread(extra.thread);
  const auto of = async_of_.find(parent);
  row.group_upid = of == async_of_.end() ? OptRow::kNull : asyncs_[of->second].group_upid;
  if (extra.colour) colours_[slice] = extra.colour;
  add(row, from, extra);
}

void JsonSlices::add(Async row, const PlacedBatch& from, const JsonExtra& extra) {
  const JsonId& id = id_at(from, extra.id);
  row.id = id.spelling;
  row.scope = id.scope;
  row.is_local = id.process != kNone;
  row.phase = extra.phase;
  groups_[{key_of(from, id, identity_), extra.is_legacy}] = true;
  async_of_[row.slice] = static_cast<uint32_t>(asyncs_.size());
  asyncs_.push_back(row);
}

// Returns the process of the first event of the group.
uint32_t JsonSlices::group_process(uint32_t track, uint32_t utid) {
  const auto [at, is_first] = processes_.try_emplace(track, OptRow::kNull);
  if (is_first && utid != kNone) at->second = store_.threads.upid[utid].row;
  return at->second;
}

std::vector<JsonSlices::Group> JsonSlices::groups() const {
  std::vector<Group> all;
  for (const auto& [group, is_there] : groups_) all.push_back(group);
  std::ranges::sort(all);
  return all;
}

void JsonSlices::finish(const std::vector<uint32_t>& new_rows) {
  const auto moved = [&](uint32_t slice) { return new_rows.empty() ? slice : new_rows[slice]; };
  // A step ends with its parent, unless another step followed; the end is on the thread of the
  // parent or step.
  for (Async& row : asyncs_)
    if (row.parent != kNone)
      if (const auto of = async_of_.find(row.parent); of != async_of_.end())
        row.end_utid = asyncs_[of->second].end_utid;
  for (Async& row : asyncs_) row.slice = moved(row.slice);
  std::ranges::sort(asyncs_, {}, &Async::slice);
  JsonAsyncSliceTable& table = store_.json.async_slices;
  for (const Async& row : asyncs_) {
    table.slice_id.append(row.slice);
    table.id_text.append(row.id);
    table.scope.append(row.scope);
    table.is_local.append(row.is_local ? 1 : 0);
    table.phase_begin.append(store_.strings.intern({&row.phase, 1}));
    table.begin_utid.append(row.begin_utid);
    table.end_utid.append({row.end_utid});
    table.group_upid.append({row.group_upid});
    table.did_not_finish.append(store_.slices.dur[row.slice] < 0 ? 1 : 0);
  }
  for (Timing& timing : timings_) timing.slice = moved(timing.slice);
  std::ranges::sort(timings_, {}, &Timing::slice);
  JsonUserTimingTable& user = store_.json.user_timings;
  for (const Timing& timing : timings_) {
    user.slice_id.append(timing.slice);
    user.group_name.append(timing.group);
    user.title.append(timing.title);
    user.arg_set_id.append({timing.arg_set_id});
  }
  std::vector<std::pair<uint32_t, StringId>> colours;
  for (const auto& [slice, colour] : colours_) colours.emplace_back(moved(slice), colour);
  std::ranges::sort(colours);
  const StringId kind = store_.strings.intern("slice");
  for (const auto& [slice, colour] : colours) {
    store_.json.colours.kind.append(kind);
    store_.json.colours.row_id.append(slice);
    store_.json.colours.cname.append(colour);
  }
}

}  // namespace tracebraid
