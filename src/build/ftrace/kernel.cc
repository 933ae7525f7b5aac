#include "build/ftrace/kernel.h"

#include <fmt/format.h>

#include <bit>

#include "build/ftrace/state.h"
#include "build/plain_rows.h"

namespace tracebraid {

Kernel::Kernel(Identity& the_identity, Tracks& the_tracks, Slices& the_slices, Flows& the_flows,
               ArgsBuilder& the_args, ThreadStates& states, Problems& the_problems,
               PlacedBatch& made, std::span<const PlacedBatch> batches, Store& the_store)
    : identity(the_identity),
      tracks(the_tracks),
      slices(the_slices),
      flows(the_flows),
      args(the_args),
      thread_states(states),
      problems(the_problems),
      store(the_store),
      batches_(batches),
      made_(made),
      made_source_(the_args.made_source()),
      made_args_(made.batch.args, made_source_, the_store.strings),
      state_(std::make_unique<KernelState>()),
      names_(batches.size()) {
  for (const KernelHandlers& topic : {cpu_handlers(), interrupt_handlers()})
    for (const KernelHandler& handler : topic) handlers_[id(handler.name).row] = handler.handle;
}

Kernel::~Kernel() = default;

const FieldNames& Kernel::names_of(uint32_t batch) {
  if (!names_[batch])
    names_[batch] = std::make_unique<FieldNames>(batches_[batch].batch.args, store.strings);
  return *names_[batch];
}

void Kernel::apply(const Event& event, uint32_t batch, uint32_t machine, uint32_t utid) {
  const auto handler = handlers_.find(event.name.row);
  if (handler == handlers_.end()) return;
  const KernelEvent e{.event = event,
                      .from = batches_[batch],
                      .batch = batch,
                      .machine = machine,
                      .utid = utid,
                      .rows = args.rows({batch, event.args}),
                      .names = names_of(batch),
                      .strings = store.strings};
  handler->second(*this, e);
}

void Kernel::finish() {}

uint32_t Kernel::find_track(const KernelEvent& e, const TrackKind& kind, uint32_t owner,
                            std::initializer_list<Dim> dims) {
  wanted_ = {.scope = kind.scope,
             .events = kind.events,
             .lanes = kind.lanes,
             .machine = e.machine,
             .file = e.file(),
             .owner = owner,
             .type = id(kind.type)};
  wanted_dimensions_.clear();
  for (const Dim& dim : dims)
    wanted_dimensions_.push_back(
        dim.is_text ? TrackDimension{id(dim.key), ArgType::String, int64_t{id(dim.text).row}}
                    : TrackDimension{id(dim.key), ArgType::Int, dim.number});
  return tracks.find_made(wanted_, wanted_dimensions_);
}

uint32_t Kernel::make_track(const TrackKind& kind, StringId name) {
  return tracks.make(wanted_, wanted_dimensions_, name,
                     kind.unit.empty() ? StringId{} : id(kind.unit));
}

uint32_t Kernel::thread_track(const KernelEvent& e, uint32_t utid) {
  if (utid >= thread_tracks_.size()) thread_tracks_.resize(utid + 1, kNone);
  if (thread_tracks_[utid] == kNone)
    thread_tracks_[utid] =
        track(e, {.type = "thread_execution", .scope = TrackScope::Thread}, utid, {}, StringId{});
  return thread_tracks_[utid];
}

uint32_t Kernel::begin(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  Event event{};
  event.ts = e.ts();
  event.name = name;
  event.category = parts.category;
  event.args = parts.args.first;
  event.extra = kNone;
  const uint32_t row = tracks.begin_row(track, name, parts.cookie);
  if (row == kNone) return kNone;
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices.begin(row, tracks.name(track), from);
  if (slice != kNone) flows.slice_began(row, slice);
  return slice;
}

uint32_t Kernel::end(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  Event event{};
  event.ts = e.ts();
  event.name = name;
  event.category = parts.category;
  event.args = parts.args.first;
  event.extra = kNone;
  const uint32_t row = tracks.end_row(track, name, parts.cookie);
  if (row == kNone) return kNone;
  const SliceEvent from{&event, &made_, parts.args.source};
  return slices.end(row, tracks.name(track), from, EndRule::Matching);
}

uint32_t Kernel::instant(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  return complete(e, track, name, 0, parts);
}

uint32_t Kernel::complete(const KernelEvent& e, uint32_t track, StringId name, int64_t dur,
                          SliceParts parts, const SliceExtra* extra) {
  Event event{};
  event.ts = e.ts();
  event.name = name;
  event.category = parts.category;
  event.args = parts.args.first;
  event.extra = kNone;
  if (extra != nullptr) {
    made_.batch.slice_extras.assign(1, *extra);
    event.extra = 0;
  }
  const uint32_t row = tracks.complete_row(track, name, e.ts(), end_of(e.ts(), dur));
  if (row == kNone) return kNone;
  const TrackName& where = tracks.name(track);
  if (slices.half_overlapped(row, where, e.ts(), dur) != kNone) {
    count(Stat::slice_drop_overlapping_complete_event, e);
    return kNone;
  }
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices.complete(row, where, from, dur);
  if (slice != kNone) flows.slice_began(row, slice);
  return slice;
}

void Kernel::add_args(uint32_t slice, ArgSource set) {
  if (slice != kNone) slices.add_args(store.slices.track_id[slice], slice, set);
}

StringId Kernel::function(const KernelEvent& e, Field field) {
  if (const StringId name = e.text_id(field)) return name;
  return id(fmt::format("{:#x}", e.u64(field)));
}

void Kernel::counter(const KernelEvent& e, uint32_t track, double value, ArgSource set) {
  const uint32_t row = tracks.begin_row(track, {});
  if (row == kNone) return;
  Event event{};
  event.ts = e.ts();
  event.value = std::bit_cast<int64_t>(value);
  add_counter(event, row, args.set(set), store);
}

}  // namespace tracebraid
