// KernelEmitter: all operations of a handler of a kernel event. Each writes rows or looks up state
// at the time of the event. Threads and processes are rows (utid, upid), and so are slices; tracks
// are numbers of Tracks. kNone means none, as argument and as result.
#pragma once

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assemble/flows/flows.h"
#include "assemble/identity/identity.h"
#include "assemble/kernel/event.h"
#include "assemble/kernel/made_args.h"
#include "assemble/kernel/process_counters.h"
#include "assemble/kernel/tasks.h"
#include "assemble/kernel/track_kind.h"
#include "assemble/problems.h"
#include "assemble/scheduling/thread_states.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"
#include "kernel/task_state.h"

namespace tracebraid {

// The outputs of kernel events.
struct KernelOutputs {
  Identity& identity;
  Tracks& tracks;
  Slices& slices;
  Flows& flows;
  DeferredArgs& args;
  ThreadStates& thread_states;
  Problems& problems;
  PlacedBatch& made;  // the batch whose args are the made_source() of `args`
  Store& store;
};

struct SliceParts {
  StringId category = {};
  ArgSource args = {};
  uint64_t cookie = 0;  // on tracks with lanes
};

// Used by the assembling thread.
class KernelEmitter {
 public:
  explicit KernelEmitter(const KernelOutputs& outputs);

  // Texts.
  StringId id(std::string_view text) { return store_.strings.intern(text); }
  StringId id(StringId text) { return text; }
  std::string_view text(StringId of) const {
    return of ? store_.strings.get(of) : std::string_view();
  }
  // Returns the name of the kernel function in the field; 0x... if only its address is known.
  StringId function(const KernelEvent& e, FieldKey field);

  // Opens a set of args, which close() ends. One set is open at a time.
  MadeArgs& args() { return made_args_.open(); }
  MadeArgs& more_args() { return made_args_; }  // the set that is open

  // Returns the track of the kind, owner (row of thread or process, or CPU) and dimensions. `name`
  // is a text, or a function that makes the text when the track is new.
  template <class Name>
  uint32_t track(const KernelEvent& e, const TrackKind& kind, uint32_t owner,
                 std::initializer_list<Dim> dims, const Name& name) {
    const uint32_t known =
        find_track(e.machine, e.file(), kind, owner, {dims.begin(), dims.size()});
    if (known != kNone) return known;
    if constexpr (std::is_invocable_v<Name>)
      return make_track(kind, id(name()));
    else
      return make_track(kind, id(name));
  }
  // Returns the track of the thread's slices.
  uint32_t thread_track(const KernelEvent& e, uint32_t utid);
  uint32_t thread_track(const KernelEvent& e) { return thread_track(e, e.utid); }

  // Slices, at the time of the event. Each function returns the row, or kNone.
  uint32_t begin(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts = {});
  // Ends the innermost slice with that name and category; none matches any.
  uint32_t end(const KernelEvent& e, uint32_t track, StringId name = {}, SliceParts parts = {});
  uint32_t instant(const KernelEvent& e, uint32_t track, StringId name, SliceParts parts = {});
  uint32_t complete(const KernelEvent& e, uint32_t track, StringId name, int64_t dur,
                    SliceParts parts = {}, const SliceExtra* extra = nullptr);
  // Returns the innermost open slice with this name on the track.
  uint32_t open_slice(const KernelEvent& e, uint32_t track, StringId name);
  // Adds args to a slice, open or closed.
  void add_args(uint32_t slice, ArgSource args);
  int64_t slice_dur(uint32_t slice) const { return store_.slices.dur[slice]; }
  // A flow between two slices.
  void connect(uint32_t from_slice, uint32_t to_slice) { flows_.connect(from_slice, to_slice); }

  // Counters, at the time of the event.
  void counter(const KernelEvent& e, uint32_t track, double value, ArgSource args = {});
  // Adds a value to the process that the thread has after all events, or else to the thread.
  void process_counter(const KernelEvent& e, uint32_t utid, ProcessCounter counter, double value,
                       ArgSource args = {});

  void count(StatId stat, const KernelEvent& e) { problems_.count(stat, e.machine, e.file()); }

  // Return threads and processes by number, created when needed, except by known_thread().
  uint32_t thread_of(const KernelEvent& e, int64_t tid) {
    return identity_.thread_of(e.machine, tid);
  }
  uint32_t known_thread(const KernelEvent& e, int64_t tid) const {
    return identity_.known_thread(e.machine, tid);
  }
  uint32_t process_of(const KernelEvent& e, int64_t pid) {
    return identity_.process_of(e.machine, pid);
  }
  uint32_t process_of_thread(uint32_t utid) const { return identity_.process_of_thread(utid); }
  // Returns whether the tid of the thread still belongs to this thread.
  bool is_current(const KernelEvent& e, uint32_t utid) const {
    return known_thread(e, store_.threads.tid[utid]) == utid;
  }
  StringId thread_name(uint32_t utid) const { return store_.threads.name[utid]; }
  StringId process_name(uint32_t upid) const { return store_.processes.name[upid]; }
  // Returns the states of threads for kernels other than Linux and for texts.
  KernelTasks& tasks() { return tasks_; }

  // Facts about the machine of the event.
  KernelVersion kernel_version(const KernelEvent& e) const { return kernels_[e.machine]; }
  std::string_view architecture(const KernelEvent& e) const {
    return text(store_.machines.arch[e.machine]);
  }
  int64_t ugpu(const KernelEvent& e, uint32_t gpu) { return tracks_.ugpu(e.machine, gpu); }

  // Call after the last event. Only for Kernel.
  void finish();

 private:
  uint32_t find_track(uint32_t machine, FileId file, const TrackKind& kind, uint32_t owner,
                      std::span<const Dim> dims);
  uint32_t make_track(const TrackKind& kind, StringId name);

  Identity& identity_;
  Tracks& tracks_;
  Slices& slices_;
  Flows& flows_;
  DeferredArgs& args_;
  Problems& problems_;
  PlacedBatch& made_;
  Store& store_;

  MadeArgs made_args_;
  ProcessCounters process_counters_;
  KernelTasks tasks_;
  std::vector<KernelVersion> kernels_;  // by machine
  struct ThreadTrack {
    uint32_t track = kNone;
    FileId file;
  };
  std::vector<ThreadTrack> thread_tracks_;  // by utid
  MadeTrack wanted_;                        // scratch of find_track()
  std::vector<TrackDimension> wanted_dimensions_;
};

}  // namespace tracebraid
