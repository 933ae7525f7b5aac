// DeferredPackets: decides which packets are decoded later (format/proto/deferred_chunk.h), and the
// order of all events after that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "event/stream_rank.h"
#include "format/format.h"
#include "format/proto/deferred_chunk.h"
#include "format/proto/packet_info.h"
#include "format/proto/track_event/tracks.h"

namespace tracebraid::proto {

// Bytes of packets that are decoded together.
inline constexpr size_t kUsualChunkBytes = size_t{4} << 20;

// Chunks wait until all of them together are long: a small file is decoded when its last packet has
// been seen, so that late extensions and translations seldom make a second reading necessary.
// The events of the file's first batch and of each chunk are in segments of their own
// (event/stream_rank.h): where an event that is decoded at once follows deferred events of its
// stream, the chunk ends. The chunks depend on the file alone.
class DeferredPackets {
 public:
  // Without `chunks` nothing is deferred. `sink` is that of the first batch.
  DeferredPackets(Chunks* chunks, size_t chunk_bytes, DescriptorPool& pool, EventSink& sink)
      : chunks_(chunks), chunk_bytes_(chunk_bytes), pool_(pool), sink_(sink) {}

  // Begins a packet of `size` bytes, which do not change as long as `owner` lives.
  void begin_packet(size_t size, const std::shared_ptr<const void>& owner) {
    seen_ += size;
    size_ = size;
    owner_ = &owner;
    if (size > kMostBytes) interrupt();
  }
  // Whether packets of this file are deferred at all.
  bool is_used() const { return chunks_ != nullptr; }
  // Whether decoding of deferred packets has begun.
  bool has_started() const { return started_ > 0; }

  // Adds a change of the state of a sequence; messages are empty for Clear and Loss.
  void change(Sequence& sequence, DeferredStep::What what, std::string_view message, uint64_t at);
  // Something else changed the sequence: later packets start with its present state.
  static void note_changed(Sequence& sequence) { sequence.deferred = 0; }
  // Whether packets may be deferred now.
  bool is_open() const {
    return chunks_ != nullptr && seen_ >= direct_until_ && size_ <= kMostBytes &&
           segment_ + 2 < kMaxSegment;
  }
  // `what` is TrackEvent, or Descriptor, which has been declared.
  void add_packet(DeferredStep::What what, const PacketInfo& info, std::string_view message,
                  Tracks& tracks);
  // `cpu_and_events` as DeferredStep::pack().
  void add_compact(const PacketInfo& info, uint32_t clock, int64_t cpu_and_events,
                   std::string_view message);
  void add_translations(std::string_view message) { translations_ += message; }

  // Announces events that are read at once: of packets, or of CPUs.
  enum class Events : uint8_t { OfPackets, OfCpus };
  void before_direct(Events events) {
    if (events == Events::OfPackets ? has_packets_ : has_cpus_) interrupt();
  }
  // Returns when no deferred packets are being decoded: the caller may change what they use.
  void pause();
  // Returns when all deferred packets have been decoded.
  void wait();
  // At the end of the file: puts the events of the first batch in order. Nothing may be deferred
  // after.
  void finish();

  const std::vector<std::shared_ptr<DeferredReader>>& readers() const { return readers_; }

  // Adds the V8 chunks of deferred packets to `chunks`, in the order of the file.
  std::vector<V8Chunk>& add_v8_chunks(std::vector<V8Chunk>& chunks) const;

 private:
  static constexpr size_t kMostBytes = ~uint32_t{0};  // limit of a packet

  void hold();
  uint32_t writer(const PacketInfo& info);
  void add(const PacketInfo& info, DeferredStep step, std::string_view message);
  void interrupt();
  void end_chunk();
  void end_segment();
  void start_waiting();

  Chunks* chunks_;
  size_t chunk_bytes_;
  DescriptorPool& pool_;
  EventSink& sink_;
  uint64_t seen_ = 0;  // bytes of packets so far
  size_t size_ = 0;    // size of the current packet
  const std::shared_ptr<const void>* owner_ = nullptr;

  std::shared_ptr<SpareSteps> spare_ = std::make_shared<SpareSteps>();
  // The chunk that takes packets; its number, from 1.
  DeferredChunk chunk_;
  uint64_t number_ = 1;
  size_t bytes_ = 0;
  size_t state_bytes_ = 0;  // approximate size of the state to copy
  bool has_packets_ = false, has_cpus_ = false;
  uint32_t segment_ = 0;          // segment of the first batch
  std::vector<Stream> segments_;  // ended segments

  uint64_t direct_until_ = 0;  // position in seen_ up to which packets are read at once
  size_t backoff_ = 0;
  std::string translations_;  // TranslationTable messages, concatenated to one
  std::vector<std::shared_ptr<DeferredReader>> readers_;
  size_t started_ = 0, waiting_bytes_ = 0;  // readers that run or ran; bytes for other readers
};

}  // namespace tracebraid::proto
