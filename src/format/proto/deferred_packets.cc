#include "format/proto/deferred_packets.h"

#include <algorithm>
#include <utility>

namespace tracebraid::proto {
namespace {

// A chunk is worth deferring if it has at least this part of the usual size, and is larger than the
// state that must be copied. After a smaller one, packets are read at once for a while.
constexpr size_t kLeastPart = 64;
constexpr size_t kStateFactor = 4;
constexpr size_t kBytesOfDeclaration = 100;

}  // namespace

void DeferredPackets::change(Sequence& sequence, DeferredStep::What what, std::string_view message,
                             uint64_t at) {
  if (sequence.deferred != number_) return;
  hold();
  chunk_.steps.push_back({.bytes = message.data(),
                          .at = at,
                          .ticks = 0,
                          .size = static_cast<uint32_t>(message.size()),
                          .clock = 0,
                          .writer = sequence.writer,
                          .what = what});
}

void DeferredPackets::add_packet(DeferredStep::What what, const PacketInfo& info,
                                 std::string_view message, Tracks& tracks) {
  auto& known = chunk_.tracks;
  if (info.machine >= known.size()) known.resize(info.machine + 1);
  if (!known[info.machine]) {
    known[info.machine] = tracks.declared();
    state_bytes_ += known[info.machine]->size() * kBytesOfDeclaration;
  }
  has_packets_ = true;
  add(info,
      {.bytes = nullptr,
       .at = info.at,
       .ticks = info.time.ticks,
       .size = 0,
       .clock = info.time.clock,
       .writer = 0,
       .what = what},
      message);
}

void DeferredPackets::add_compact(const PacketInfo& info, uint32_t clock, int64_t cpu_and_events,
                                  std::string_view message) {
  has_cpus_ = true;
  add(info,
      {.bytes = nullptr,
       .at = info.at,
       .ticks = cpu_and_events,
       .size = 0,
       .clock = clock,
       .writer = 0,
       .what = DeferredStep::What::CompactSched},
      message);
}

void DeferredPackets::add(const PacketInfo& info, DeferredStep step, std::string_view message) {
  hold();
  step.bytes = message.data();
  step.size = static_cast<uint32_t>(message.size());
  step.writer = writer(info);
  chunk_.steps.push_back(step);
  bytes_ += size_;
  if (bytes_ < std::max(chunk_bytes_, kStateFactor * state_bytes_)) return;
  backoff_ = 0;
  end_chunk();
}

void DeferredPackets::hold() {
  auto& held = chunk_.held;
  if (*owner_ && (held.empty() || held.back() != *owner_)) held.push_back(*owner_);
}

uint32_t DeferredPackets::writer(const PacketInfo& info) {
  Sequence& sequence = *info.sequence;
  if (sequence.deferred == number_) return sequence.writer;
  sequence.deferred = number_;
  sequence.writer = static_cast<uint32_t>(chunk_.writers.size());
  DeferredWriter& made = chunk_.writers.emplace_back();
  made.machine = info.machine;
  made.id = sequence.id;
  made.is_valid = sequence.is_valid;
  made.has_first_packet = sequence.has_first_packet;
  made.defaults = sequence.defaults;
  made.interned = sequence.interned_log.seal();
  for (const InternedLog::Part& part : made.interned) state_bytes_ += part->size();
  made.thread = sequence.thread;
  made.thread.thread = made.thread.track = kNone;
  made.counters = sequence.counters;
  return sequence.writer;
}

// Ends the current chunk, because events that are read at once follow.
void DeferredPackets::interrupt() {
  const size_t least = chunk_bytes_ / kLeastPart;
  const bool was_long = bytes_ >= std::max(least, kStateFactor * state_bytes_);
  backoff_ = was_long ? 0 : std::min(std::max(least, backoff_ * 2), chunk_bytes_);
  direct_until_ = seen_ + backoff_;
  end_chunk();
}

void DeferredPackets::end_chunk() {
  if (chunk_.steps.empty()) return;
  end_segment();
  chunk_.machines = sink_.batch().machines;
  chunk_.segment = segment_++;
  readers_.push_back(std::make_shared<DeferredReader>(std::move(chunk_), pool_, spare_));
  waiting_bytes_ += bytes_;
  if (waiting_bytes_ >= chunk_bytes_) start_waiting();
  chunk_ = {};
  chunk_.steps = spare_->take();
  ++number_;
  bytes_ = state_bytes_ = 0;
  has_packets_ = has_cpus_ = false;
}

void DeferredPackets::start_waiting() {
  if (started_ == readers_.size()) return;
  const auto translations = std::make_shared<const std::string>(translations_);
  for (; started_ < readers_.size(); ++started_)
    chunks_->run([reader = readers_[started_], translations](EventSink& sink) {
      reader->read(*translations, sink);
    });
  waiting_bytes_ = 0;
}

void DeferredPackets::pause() {
  if (chunks_ != nullptr) chunks_->wait();
}

// Begins a new segment for events that are read at once from here on.
void DeferredPackets::end_segment() {
  for (Stream& stream : sink_.batch().streams)
    if (!stream.events.empty())
      segments_.push_back({segment_rank(stream.rank, segment_), std::exchange(stream.events, {})});
  ++segment_;
}

void DeferredPackets::wait() {
  if (chunks_ == nullptr) return;
  end_chunk();
  start_waiting();
  chunks_->wait();
}

std::vector<V8Chunk>& DeferredPackets::add_v8_chunks(std::vector<V8Chunk>& chunks) const {
  for (const auto& reader : readers_)
    chunks.insert(chunks.end(), reader->v8_chunks().begin(), reader->v8_chunks().end());
  std::ranges::stable_sort(chunks, {}, &V8Chunk::at);
  return chunks;
}

void DeferredPackets::finish() {
  if (chunks_ == nullptr) return;
  end_segment();
  sink_.batch().streams = std::exchange(segments_, {});
}

}  // namespace tracebraid::proto
