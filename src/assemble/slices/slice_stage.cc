#include "assemble/slices/slice_stage.h"

#include "assemble/saturate.h"
#include "assemble/stats.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

SliceEvent slice_event(const PlacedEvent& at) { return {&at.event, &at.from, at.batch}; }
JsonEvent json_event(const PlacedEvent& at) {
  return {at.event, at.from, at.batch, at.machine(), at.sequence};
}

}  // namespace

void SliceDetails::add(const PlacedEvent& at, uint32_t track_row, uint32_t slice, bool began) {
  if (at.from.is_json()) json_rows.slice(json_event(at), began, track_row, slice);
  if (slice == kNone) return;
  if (began) flows.slice_began(track_row, slice);
  if (at.event.extra == kNone) return;
  const SliceExtra& extra = at.from.batch.slice_extras[at.event.extra];
  if (extra.flows != kNone)
    flows.attach(slice, tracks.name(at.event.track), slice_event(at), extra.flows);
  if (extra.stack != kNone)
    slice_stacks.add(at.batch, at.from.batch.stacks.slice_stacks[extra.stack], slice, track_row,
                     at.from.is_json());
}

void OverlapLog::add_spill(const PlacedEvent& at, const TrackName& track, uint32_t around) {
  const StatId stat = stats::slice_spill_overlapping_complete_event;
  if (!problems.count_logged(stat, track.machine, track.file)) return;
  const SliceTable& table = store.slices;
  const StringId around_name = slices.labels().name[around];
  const int64_t around_end = end_of(table.ts[around], table.dur[around]);
  ArgsBuilder& set = args.open();
  set.add_int("overlap_start", at.event.ts);
  set.add_int("overlap_end", around_end);
  if (around_name) set.add_text("conflicting_slice_name", around_name);
  set.add_int("conflicting_slice_ts", table.ts[around]);
  set.add_int("conflicting_slice_dur", table.dur[around]);
  if (at.event.name) set.add_text("event_name", at.event.name);
  set.add_text("event_phase", store.strings.intern("X"));
  problems.log({stat, track.file, at.event.ts, set.close()});
}

void OverlapLog::add_dropped(const TrackName& track) {
  problems.count(stats::slice_drop_overlapping_complete_event, track.machine, track.file);
}

void SliceStage::begin(const PlacedEvent& at) {
  const uint32_t row = tracks.begin_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const uint32_t slice = slices.begin(row, tracks.name(at.event.track), slice_event(at));
  details.add(at, row, slice, true);
}

void SliceStage::end(const PlacedEvent& at) {
  const uint32_t track = at.event.track;
  const bool is_async = tracks.name(track).lanes == Lanes::ByCookie && at.from.is_json();
  const bool was_active = is_async && tracks.is_active(track, at.event.name);
  const uint32_t row = tracks.end_row(track, at.event.name);
  if (row == kNone) return;
  const TrackName& name = tracks.name(track);
  EndRule rule = EndRule::Matching;
  if (at.from.is_json()) rule = is_async ? EndRule::JsonAsync : EndRule::JsonThread;
  const uint32_t slice = slices.end(row, name, slice_event(at), rule);
  // An end without a slice does not free the lane either.
  if (slice == kNone && was_active) tracks.begin_row(track, at.event.name);
  if (slice == kNone && at.event.value == static_cast<int64_t>(EndMark::CountsUnmatched))
    problems.count(stats::atrace_unmatched_end, name.machine, name.file);
  details.add(at, row, slice, false);
}

void SliceStage::complete(const PlacedEvent& at) {
  const Event& event = at.event;
  const TrackName& name = tracks.name(event.track);
  if (event.value < 0) {
    problems.count(stats::slice_negative_duration, name.machine, name.file);
    return;
  }
  const int64_t end = end_of(event.ts, event.value);
  uint32_t row = tracks.complete_row(event.track, event.name, event.ts, end);
  if (row == kNone) return;
  const uint32_t around = slices.half_overlapped(row, name, event.ts, event.value);
  if (around != kNone) {
    if (name.overlap == Overlap::Drop) return overlaps.add_dropped(name);
    overlaps.add_spill(at, name, around);
    row = tracks.spill_row(row, event.ts, end);
  }
  details.add(at, row, slices.complete(row, name, slice_event(at), event.value), true);
}

void SliceStage::instant(const PlacedEvent& at) {
  const uint32_t row = tracks.instant_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const uint32_t slice = slices.complete(row, tracks.name(at.event.track), slice_event(at), 0);
  details.add(at, row, slice, true);
}

void SliceStage::begin_once(const PlacedEvent& at) {
  const uint32_t track = at.event.track;
  // An ignored begin must not occupy the lane after the end either.
  const bool restarts = tracks.name(track).lanes == Lanes::ByCookie && at.from.is_json() &&
                        tracks.is_active(track, at.event.name);
  const uint32_t row =
      restarts ? tracks.instant_row(track, at.event.name) : tracks.begin_row(track, at.event.name);
  if (row == kNone) return;
  details.add(at, row, slices.begin_once(row, tracks.name(track), slice_event(at)), true);
}

void SliceStage::step(const PlacedEvent& at) {
  const uint32_t row = tracks.instant_row(at.event.track, {});
  if (row == kNone) return;
  steps.add(slices.open_root(row), tracks.name(at.event.track), slice_event(at));
}

}  // namespace tracebraid
