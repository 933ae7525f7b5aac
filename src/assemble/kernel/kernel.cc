#include "assemble/kernel/kernel.h"

#include <fmt/format.h>

#include <bit>

#include "assemble/kernel/state.h"
#include "assemble/rows/plain_rows.h"

namespace tracebraid {
namespace {

// What begins, ends or is a slice, as the slice builder wants it.
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

Kernel::Kernel(Identity& the_identity, Tracks& the_tracks, Slices& the_slices, Flows& the_flows,
               DeferredArgs& the_args, ThreadStates& states, Problems& the_problems,
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
  for (const KernelHandlers& topic :
       {binder_handlers(), call_handlers(), cpu_handlers(), display_handlers(), drm_handlers(),
        gpu_handlers(), interrupt_handlers(), media_handlers(), memory_handlers(),
        network_handlers(), pkvm_handlers(), power_handlers(), reclaim_handlers(),
        storage_handlers(), task_handlers(), trusty_handlers()})
    for (const KernelHandler& handler : topic) handlers_[id(handler.name).row] = handler.handle;
  call_event_ = id("sys_enter");
  const MachineTable& machines = store.machines;
  for (size_t i = 0; i < machines.rows(); ++i)
    state_->kernels.push_back(kernel_version(text(machines.sysname[i]), text(machines.release[i])));
}

Kernel::~Kernel() = default;

const FieldNames& Kernel::names_of(uint32_t batch) {
  if (!names_[batch])
    names_[batch] = std::make_unique<FieldNames>(batches_[batch].batch.args, store.strings);
  return *names_[batch];
}

Kernel::Handle Kernel::handler_of(StringId name, uint32_t batch) {
  const auto [known, is_new] = handlers_.try_emplace(name.row, nullptr);
  if (is_new && text(name).starts_with(kMaliMcuPrefix)) known->second = mali_mcu_state;
  if (known->second != nullptr) return known->second;
  return names_of(batch).has_track_events ? kernel_track_event : nullptr;
}

void Kernel::apply(const Event& event, uint32_t batch, uint32_t machine, uint32_t utid) {
  const Handle handle = handler_of(event.name, batch);
  if (handle == nullptr) return;
  const KernelEvent e{.event = event,
                      .from = batches_[batch],
                      .batch = batch,
                      .machine = machine,
                      .utid = utid,
                      .rows = args.rows({batch, event.args}),
                      .names = names_of(batch),
                      .strings = store.strings};
  handle(*this, e);
}

void Kernel::finish() { place_process_counters(*this); }

uint32_t Kernel::find_track(uint32_t machine, FileId file, const TrackKind& kind, uint32_t owner,
                            std::span<const Dim> dims) {
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
  return tracks.find_made(wanted_, wanted_dimensions_);
}

uint32_t Kernel::make_track(const TrackKind& kind, StringId name) {
  return tracks.make(wanted_, wanted_dimensions_, name,
                     kind.unit.empty() ? StringId{} : id(kind.unit));
}

uint32_t Kernel::thread_track(const KernelEvent& e, uint32_t utid) {
  if (utid >= thread_tracks_.size()) thread_tracks_.resize(utid + 1);
  ThreadTrack& known = thread_tracks_[utid];
  if (known.track == kNone || known.file != e.file())
    known = {
        track(e, {.type = "thread_execution", .scope = TrackScope::Thread}, utid, {}, StringId{}),
        e.file()};
  return known.track;
}

uint32_t Kernel::begin(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  const Event event = slice_event(e, name, parts);
  const uint32_t row = tracks.begin_row(track, name, parts.cookie);
  if (row == kNone) return kNone;
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices.begin(row, tracks.name(track), from);
  if (slice != kNone) flows.slice_began(row, slice);
  return slice;
}

uint32_t Kernel::end(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts) {
  const Event event = slice_event(e, name, parts);
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
  Event event = slice_event(e, name, parts);
  if (extra != nullptr) {
    made_.batch.slice_extras.assign(1, *extra);
    event.extra = 0;
  }
  const uint32_t row = tracks.complete_row(track, name, e.ts(), end_of(e.ts(), dur));
  if (row == kNone) return kNone;
  const TrackName& where = tracks.name(track);
  if (slices.half_overlapped(row, where, e.ts(), dur) != kNone) {
    count(stats::slice_drop_overlapping_complete_event, e);
    return kNone;
  }
  const SliceEvent from{&event, &made_, parts.args.source};
  const uint32_t slice = slices.complete(row, where, from, dur);
  if (slice != kNone) flows.slice_began(row, slice);
  return slice;
}

uint32_t Kernel::open_slice(const KernelEvent& e, uint32_t track, StringId name) {
  const uint32_t row = tracks.instant_row(track, {});
  return row == kNone ? kNone : slices.open_slice(row, tracks.name(track), e.ts(), name);
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
  add_counter(event, row, {args.set(set)}, store);
}

}  // namespace tracebraid
