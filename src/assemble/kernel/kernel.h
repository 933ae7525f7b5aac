// Kernel: from kernel events to rows (spec proto 5.5). One place for every reader: a reader
// states the event with its fields, a handler by the event's name says what it means.
//
// Handlers are free functions, by topic in the files beside this; what a topic remembers
// from event to event is a struct of its own (state.h).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assemble/flows/flows.h"
#include "assemble/identity/identity.h"
#include "assemble/kernel/event.h"
#include "assemble/kernel/made_args.h"
#include "assemble/scheduling/thread_states.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

struct KernelState;

struct TrackKind {
  std::string_view type;
  TrackScope scope = TrackScope::Global;
  TrackEvents events = TrackEvents::Slice;
  Lanes lanes = Lanes::Single;
  std::string_view unit = {};
};
constexpr TrackKind counter_kind(std::string_view type, TrackScope scope = TrackScope::Global,
                                 std::string_view unit = {}) {
  return {.type = type, .scope = scope, .events = TrackEvents::Counter, .unit = unit};
}

// What tells a track from others of its kind and owner.
struct Dim {
  constexpr Dim(std::string_view the_key, std::string_view the_text)
      : key(the_key), text(the_text), is_text(true) {}
  constexpr Dim(std::string_view the_key, int64_t the_number) : key(the_key), number(the_number) {}
  std::string_view key, text;
  int64_t number = 0;
  bool is_text = false;
};

struct SliceParts {
  StringId category = {};
  ArgSource args = {};
  uint64_t cookie = 0;  // on tracks with lanes
};

class Kernel {
 public:
  // `made` is the batch of args that building makes, the made_source() of `args`.
  Kernel(Identity& identity, Tracks& tracks, Slices& slices, Flows& flows, DeferredArgs& args,
         ThreadStates& thread_states, Problems& problems, PlacedBatch& made,
         std::span<const PlacedBatch> batches, Store& store);
  ~Kernel();

  // What the event means, if it is one of those that mean something.
  void apply(const Event& event, uint32_t batch, uint32_t machine, uint32_t utid);
  // The one event with a repeated field, whose row has only the last (spec proto 5.2).
  StringId call_event() const { return call_event_; }
  // All events have come.
  void finish();

  // Tracks, by kind, owner (row of thread or process, or CPU) and dimensions. `name` is a
  // text, or a function that makes it when the track is new.
  template <class Name>
  uint32_t track(const KernelEvent& e, const TrackKind& kind, uint32_t owner,
                 std::initializer_list<Dim> dims, const Name& name) {
    return track(e.machine, e.file(), kind, owner, {dims.begin(), dims.size()}, name);
  }
  template <class Name>
  uint32_t track(uint32_t machine, FileId file, const TrackKind& kind, uint32_t owner,
                 std::span<const Dim> dims, const Name& name) {
    const uint32_t known = find_track(machine, file, kind, owner, dims);
    if (known != kNone) return known;
    if constexpr (std::is_invocable_v<Name>)
      return make_track(kind, id(name()));
    else
      return make_track(kind, id(name));
  }
  uint32_t thread_track(const KernelEvent& e, uint32_t utid);
  uint32_t thread_track(const KernelEvent& e) { return thread_track(e, e.utid); }

  // Rows of slice, at the time of the event. Each returns the row, or kNone.
  uint32_t begin(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts = {});
  // Ends the innermost slice with that name and category; none match any.
  uint32_t end(const KernelEvent& e, uint32_t track, StringId name = {}, SliceParts parts = {});
  uint32_t instant(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts = {});
  uint32_t complete(const KernelEvent& e, uint32_t track, StringId name, int64_t dur,
                    SliceParts parts = {}, const SliceExtra* extra = nullptr);
  // The innermost slice with this name that is open on the track; kNone if there is none.
  uint32_t open_slice(const KernelEvent& e, uint32_t track, StringId name);
  // To a slice that is open, or was closed.
  void add_args(uint32_t slice, ArgSource args);

  void counter(const KernelEvent& e, uint32_t track, double value, ArgSource set = {});

  void count(StatId stat, const KernelEvent& e) { problems.count(stat, e.machine, e.file()); }

  StringId id(std::string_view text) { return store.strings.intern(text); }
  StringId id(StringId text) { return text; }
  std::string_view text(StringId of) const {
    return of ? store.strings.get(of) : std::string_view();
  }
  // The name of the kernel function that the field holds; 0x... if only its address is known.
  StringId function(const KernelEvent& e, Field field);
  MadeArgs& set() { return made_args_.open(); }
  MadeArgs& more() { return made_args_; }  // the set that is open
  KernelState& state() { return *state_; }

  Identity& identity;
  Tracks& tracks;
  Slices& slices;
  Flows& flows;
  DeferredArgs& args;
  ThreadStates& thread_states;
  Problems& problems;
  Store& store;

 private:
  using Handle = void (*)(Kernel&, const KernelEvent&);
  uint32_t find_track(uint32_t machine, FileId file, const TrackKind& kind, uint32_t owner,
                      std::span<const Dim> dims);
  uint32_t make_track(const TrackKind& kind, StringId name);
  const FieldNames& names_of(uint32_t batch);
  Handle handler_of(StringId name, uint32_t batch);

  std::span<const PlacedBatch> batches_;
  PlacedBatch& made_;
  uint32_t made_source_;
  MadeArgs made_args_;
  std::unique_ptr<KernelState> state_;
  absl::flat_hash_map<uint32_t, Handle> handlers_;  // by name; null: only a row
  StringId call_event_;
  std::vector<std::unique_ptr<FieldNames>> names_;  // by batch
  struct ThreadTrack {
    uint32_t track = kNone;
    FileId file;
  };
  std::vector<ThreadTrack> thread_tracks_;  // by utid
  MadeTrack wanted_;                        // by find_track()
  std::vector<TrackDimension> wanted_dimensions_;
};

// What an event of a name means.
struct KernelHandler {
  std::string_view name;
  void (*handle)(Kernel&, const KernelEvent&);
};
using KernelHandlers = std::span<const KernelHandler>;

KernelHandlers binder_handlers();
KernelHandlers call_handlers();
KernelHandlers cpu_handlers();
KernelHandlers display_handlers();
KernelHandlers drm_handlers();
KernelHandlers gpu_handlers();
KernelHandlers interrupt_handlers();
KernelHandlers media_handlers();
KernelHandlers memory_handlers();
KernelHandlers network_handlers();
KernelHandlers pkvm_handlers();
KernelHandlers power_handlers();
KernelHandlers reclaim_handlers();
KernelHandlers storage_handlers();
KernelHandlers task_handlers();
KernelHandlers trusty_handlers();

// Events that are known by a prefix of their name, or by a field.
inline constexpr std::string_view kMaliMcuPrefix = "mali_mali_PM_MCU_";
void mali_mcu_state(Kernel& k, const KernelEvent& e);
void kernel_track_event(Kernel& k, const KernelEvent& e);

// All events have come: gives the values of add_process_counter() their tracks.
void place_process_counters(Kernel& k);

}  // namespace tracebraid
