// Postponer: decides which packets are deferred (format/proto/postponed.h), and orders all events.
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
#include "format/proto/packet_info.h"
#include "format/proto/postponed.h"
#include "format/proto/track_event/tracks.h"

namespace tracebraid::proto {

// Size of a chunk of deferred packets, bytes.
inline constexpr size_t kUsualStretchBytes = size_t{4} << 20;

// Chunks wait until many bytes are deferred. A small file is therefore decoded after its last
// packet, so that extensions and translations that come late seldom require reading it again. The
// events of the file's first batch and of each chunk are in segments of their own
// (event/stream_rank.h): a chunk ends where an event that is read at once follows deferred ones of
// the same stream. The division depends on the file only.
class Postponer {
 public:
  // Without `pieces` nothing is deferred. `sink` is that of the first batch.
  Postponer(Pieces* pieces, size_t stretch_bytes, DescriptorPool& pool, EventSink& sink)
      : pieces_(pieces), stretch_bytes_(stretch_bytes), pool_(pool), sink_(sink) {}

  // Begins a packet of `size` bytes, which do not change as long as `owner` lives.
  void begin_packet(size_t size, const std::shared_ptr<const void>& owner) {
    seen_ += size;
    size_ = size;
    owner_ = &owner;
    if (size > kMostBytes) interrupt();
  }
  // Returns whether packets can be deferred at all.
  bool is_used() const { return pieces_ != nullptr; }
  // Returns whether decoding of deferred packets has started.
  bool has_started() const { return started_ > 0; }

  // Notes a change of the state of a sequence; messages are empty for Clear and Loss.
  void change(Sequence& sequence, PostponedStep::What what, std::string_view message, uint64_t at);
  // Notes that the sequence changed in another way: later packets use its current state.
  static void note_changed(Sequence& sequence) { sequence.postponed = 0; }
  // Returns whether packets may be deferred now.
  bool is_open() const {
    return pieces_ != nullptr && seen_ >= direct_until_ && size_ <= kMostBytes &&
           segment_ + 2 < kMaxSegment;
  }
  // `what` is TrackEvent, or Descriptor, which has been declared.
  void add_packet(PostponedStep::What what, const PacketInfo& info, std::string_view message,
                  Tracks& tracks);
  // `cpu_and_events` as for PostponedStep::pack().
  void add_compact(const PacketInfo& info, uint32_t clock, int64_t cpu_and_events,
                   std::string_view message);
  void add_translations(std::string_view message) { translations_ += message; }

  // Announces events that are read at once: of packets, or of CPUs.
  enum class Events : uint8_t { OfPackets, OfCpus };
  void before_direct(Events events) {
    if (events == Events::OfPackets ? has_packets_ : has_cpus_) interrupt();
  }
  // Returns when no deferred packet is being decoded, so that shared state may change.
  void pause();
  // Returns when all deferred packets have been decoded.
  void wait();
  // Call at the end of the file: orders the events of the first batch. Nothing may be deferred
  // afterwards.
  void finish();

  const std::vector<std::shared_ptr<PostponedReader>>& readers() const { return readers_; }

  // Returns the chunks in the order of the file, including those of deferred packets.
  std::vector<V8Chunk>& add_v8_chunks(std::vector<V8Chunk>& chunks) const;

 private:
  static constexpr size_t kMostBytes = ~uint32_t{0};  // limit of a packet

  void hold();
  uint32_t writer(const PacketInfo& info);
  void add(const PacketInfo& info, PostponedStep step, std::string_view message);
  void interrupt();
  void end_stretch();
  void end_segment();
  void start_waiting();

  Pieces* pieces_;
  size_t stretch_bytes_;
  DescriptorPool& pool_;
  EventSink& sink_;
  uint64_t seen_ = 0;  // bytes of packets so far
  size_t size_ = 0;    // size of the current packet
  const std::shared_ptr<const void>* owner_ = nullptr;

  std::shared_ptr<SpareSteps> spare_ = std::make_shared<SpareSteps>();
  // The chunk that is being collected; its number, from 1.
  Postponed stretch_;
  uint64_t number_ = 1;
  size_t bytes_ = 0;
  size_t state_bytes_ = 0;  // approximate size of the state to copy
  bool has_packets_ = false, has_cpus_ = false;
  uint32_t segment_ = 0;          // segment of the first batch
  std::vector<Stream> segments_;  // ended segments

  uint64_t direct_until_ = 0;  // position in seen_ up to which packets are read at once
  size_t backoff_ = 0;
  std::string translations_;  // TranslationTable messages, concatenated to one
  std::vector<std::shared_ptr<PostponedReader>> readers_;
  size_t started_ = 0, waiting_bytes_ = 0;  // readers that run or ran; bytes for other readers
};

}  // namespace tracebraid::proto
