// Deferred packets. Track events and compact scheduler events depend on little of the packets
// before them. The reader notes that little when a packet comes; the packets of a chunk are decoded
// later, on any thread, into a batch of their own. Track descriptors among them are decoded twice:
// at once for their declarations, and later for their events.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/proto/clocks.h"
#include "format/proto/ftrace/compact_sched.h"
#include "format/proto/sequence.h"
#include "format/proto/track_event/track_event.h"
#include "format/proto/track_event/tracks.h"
#include "format/proto/track_event/translate.h"
#include "format/proto/track_event/view_classes.h"

namespace tracebraid::proto {

struct DeferredStep {  // 40 bytes
  enum class What : uint8_t {
    TrackEvent,
    Descriptor,
    CompactSched,
    Clear,
    Loss,
    Defaults,
    Interned
  };
  const char* bytes;  // of the message; null for Clear and Loss
  uint64_t at;        // offset of the packet in the file
  int64_t ticks;      // time of the packet; CPU and number of events of a CompactSched
  uint32_t size;      // of the message
  uint32_t clock;     // index of the clock names of the file's first batch
  uint32_t writer;    // of DeferredChunk::writers
  What what;

  std::string_view message() const { return {bytes, size}; }
  static int64_t pack(uint32_t cpu, uint64_t events) {
    return static_cast<int64_t>(events << 32 | cpu);
  }
  uint32_t cpu() const { return static_cast<uint32_t>(ticks); }
  uint32_t events() const { return static_cast<uint32_t>(static_cast<uint64_t>(ticks) >> 32); }
};
static_assert(sizeof(DeferredStep) == 40);

// Recycles lists of steps: they are large, and the allocation of new memory takes longer than
// filling it. Any thread.
class SpareSteps {
 public:
  std::vector<DeferredStep> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<DeferredStep> steps = std::move(spare_.back());
    spare_.pop_back();
    return steps;
  }
  void give(std::vector<DeferredStep> steps) {
    steps.clear();
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(steps));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<DeferredStep>> spare_;
};

// The state of a sequence before its first step.
struct DeferredWriter {
  uint32_t machine = 0, id = 0;
  bool is_valid = false, has_first_packet = false;
  PacketDefaults defaults;
  std::vector<InternedLog::Part> interned;
  WriterThread thread;
  absl::flat_hash_map<uint64_t, double> counters;
};

// The deferred packets of one chunk of the file.
struct DeferredChunk {
  uint32_t segment = 0;  // segment of its streams
  std::vector<DeferredStep> steps;
  std::vector<DeferredWriter> writers;
  std::vector<uint64_t> machines;                             // raw ids, as EventBatch::machines
  std::vector<std::shared_ptr<const DeclaredTracks>> tracks;  // by machine; none is null
  std::vector<std::shared_ptr<const void>> held;              // owners of the bytes
};

// Indexes of unusable tracks in EventBatch::tracks, each with the stat to count for an event.
using BrokenTracks = absl::flat_hash_map<uint32_t, std::optional<StatId>>;

// The names that are known at the end of the file, as in its first batch.
struct FileNames {
  const EventBatch& batch;
  const Clocks& clocks;
  BrokenTracks broken;
  ViewClasses view_classes;
};

// Removes the events on these tracks and counts each (spec proto 2.4).
void drop_broken_events(const BrokenTracks& broken, uint32_t machine, EventSink& sink);

class DeferredReader {
 public:
  DeferredReader(DeferredChunk deferred, DescriptorPool& pool, std::shared_ptr<SpareSteps> spare)
      : chunk_(std::move(deferred)), pool_(pool), spare_(std::move(spare)) {}

  // Decodes all steps. `translations` is a TranslationTable. Call once, on any thread.
  void read(std::string_view translations, EventSink& sink);

  // After read(): chunks of V8 profiles, ...
  const std::vector<V8Chunk>& v8_chunks() const { return v8_chunks_; }
  // Returns the uuids of a machine that have events.
  std::vector<Tracks::Use> uses(uint32_t machine) const;
  // Call at the end of the file: sets the names of clocks and tracks. `places` are those of uses(),
  // for all machines one after the other, in FileNames::batch. Does nothing without read(), which
  // Chunks leaves out after its memory limit was exceeded.
  void finish(const FileNames& names, const std::vector<uint32_t>& places);

 private:
  struct ClockUse {
    uint32_t from = kNone, to = kNone;
  };
  // The state of reading, which is released when all steps have been read.
  struct State;
  void make_room();
  Stream& stream_of(uint32_t rank);
  PacketInfo packet_info(const DeferredStep& step, State& state);
  void read_step(const DeferredStep& step, State& state);
  uint32_t clock(uint32_t from, ClockUse& last);

  DeferredChunk chunk_;
  DescriptorPool& pool_;
  std::shared_ptr<SpareSteps> spare_;
  EventSink* sink_ = nullptr;
  std::vector<V8Chunk> v8_chunks_;
  absl::flat_hash_map<uint32_t, uint32_t> clocks_;
  std::vector<std::unique_ptr<Tracks>> tracks_;  // by machine; null for machines without events
};

}  // namespace tracebraid::proto
