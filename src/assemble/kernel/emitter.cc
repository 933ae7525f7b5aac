#include "assemble/kernel/emitter.h"

#include <fmt/format.h>

#include <bit>

#include "assemble/rows/plain_rows.h"
#include "assemble/stats.h"

namespace tracebraid {
namespace {

// Returns the event of a slice for the slice builder.
Event slice_event(const KernelEvent& e, StringId name, const SliceParts& parts) {
  Event event{};
  event.ts = e.ts();
  event.name = name;
  event.category = parts.category;
  event.args = parts.args.first;
  event.extra = kNone;
  return event;
}

}  // namespace

KernelEmitter::KernelEmitter(const KernelOutputs& outputs)
    : identity_(outputs.identity),
      tracks_(outputs.tracks),
      slices_(outputs.slices),
      flows_(outputs.flows),
      args_(outputs.args),
      problems_(outputs.problems),
      made_(outputs.made),
      store_(outputs.store),
      made_args_(made_.batch.args, args_.made_source(), store_.strings),
      process_counters_(store_.counters),
      tasks_(identity_, outputs.thread_states, store_) {
  const MachineTable& machines = store_.machines;
  for (size_t i = 0; i < machines.rows(); ++i)
    kernels_.push_back(
        tracebraid::kernel_version(text(machines.sysname[i]), text(machines.release[i])));
}

StringId KernelEmitter::function(const KernelEvent& e, FieldKey field) {
  if (const StringId name = e.text_id(field)) return name;
  return id(fmt::format("{:#x}", e.u64(field)));
}

uint32_t KernelEmitter::find_track(uint32_t machine, FileId file, const TrackKind& kind,
                                   uint32_t owner, std::span<const Dim> dims) {
  wanted_ = {.scope = kind.scope,
             .events = kind.events,
             .lanes = kind.lanes,
             .machine = machine,
             .file = file,
             .owner = owner,
             .type = id(kind.type)};
  wanted_dimensions_.clear();
  for (const Dim& dim : dims)
    wanted_dimensions_.push_back(
        dim.is_text ? TrackDimension{id(dim.key), ArgType::String, int64_t{id(dim.text).row}}
                    : TrackDimension{id(dim.key), ArgType::Int, dim.number});
  return tracks_.find_made(wanted_, wanted_dimensions_);
}

uint32_t KernelEmitter::make_track(const TrackKind& kind, StringId name) {
  return tracks_.make(wanted_, wanted_dimensions_, name,
                      kind.unit.empty() ? StringId{} : id(kind.unit));
}

uint32_t KernelEmitter::thread_track(const KernelEvent& e, uint32_t utid) {
  if (utid >= thread_tracks_.size()) thread_tracks_.resize(utid + 1);
  ThreadTrack& known = thread_tracks_[utid];
  if (known.track == kNone || known.file != e.file())
    known = {
        track(e, {.type = "thread_execution", .scope = TrackScope::Thread}, utid, {}, StringId{}),
        e.file()};
  return known.track;
}

uint32_t KernelEmitter::begin(const KernelEvent& e, uint32_t track, StringId name,
                              SliceParts parts) {
  const Event event = slice_event(e, name, parts);
  const uint32_t row = tracks_.begin_row(track, name, parts.cookie);
  if (row == kNone) return kNone;
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices_.begin(row, tracks_.name(track), from);
  if (slice != kNone) flows_.slice_began(row, slice);
  return slice;
}

uint32_t KernelEmitter::end(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  const Event event = slice_event(e, name, parts);
  const uint32_t row = tracks_.end_row(track, name, parts.cookie);
  if (row == kNone) return kNone;
  const SliceEvent from{&event, &made_, parts.args.source};
  return slices_.end(row, tracks_.name(track), from, EndRule::Matching);
}

uint32_t KernelEmitter::instant(const KernelEvent& e, uint32_t track, StringId name,
                                SliceParts parts) {
  return complete(e, track, name, 0, parts);
}

uint32_t KernelEmitter::complete(const KernelEvent& e, uint32_t track, StringId name, int64_t dur,
                                 SliceParts parts, const SliceExtra* extra) {
  Event event = slice_event(e, name, parts);
  if (extra != nullptr) {
    made_.batch.slice_extras.assign(1, *extra);
    event.extra = 0;
  }
  const uint32_t row = tracks_.complete_row(track, name, e.ts(), end_of(e.ts(), dur));
  if (row == kNone) return kNone;
  const TrackName& where = tracks_.name(track);
  if (slices_.half_overlapped(row, where, e.ts(), dur) != kNone) {
    count(stats::slice_drop_overlapping_complete_event, e);
    return kNone;
  }
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices_.complete(row, where, from, dur);
  if (slice != kNone) flows_.slice_began(row, slice);
  return slice;
}

uint32_t KernelEmitter::open_slice(const KernelEvent& e, uint32_t track, StringId name) {
  const uint32_t row = tracks_.instant_row(track, {});
  return row == kNone ? kNone : slices_.open_slice(row, tracks_.name(track), e.ts(), name);
}

void KernelEmitter::add_args(uint32_t slice, ArgSource args) {
  if (slice != kNone) slices_.add_args(store_.slices.track_id[slice], slice, args);
}

void KernelEmitter::counter(const KernelEvent& e, uint32_t track, double value, ArgSource args) {
  const uint32_t row = tracks_.begin_row(track, {});
  if (row == kNone) return;
  Event event{};
  event.ts = e.ts();
  event.value = std::bit_cast<int64_t>(value);
  add_counter(event, row, {args_.set(args)}, store_);
}

void KernelEmitter::process_counter(const KernelEvent& e, uint32_t utid, ProcessCounter counter,
                                    double value, ArgSource args) {
  Event event{};
  event.ts = e.ts();
  event.value = std::bit_cast<int64_t>(value);
  const uint32_t row =
      process_counters_.placeholder({utid, counter, e.file()}, e.machine, tracks_.clock());
  add_counter(event, row, {args_.set(args)}, store_);
}

void KernelEmitter::finish() {
  process_counters_.resolve(identity_, [&](const ProcessCounterTrack& of) {
    tracks_.set_clock(of.clock);
    const uint32_t known = find_track(of.machine, of.file, of.kind, of.owner, of.dims);
    return tracks_.begin_row(known != kNone ? known : make_track(of.kind, id(of.name)), {});
  });
  tracks_.set_clock(Tracks::kNoClock);
}

}  // namespace tracebraid
