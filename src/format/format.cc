#include "format/format.h"

#include <utility>

#include "base/memory_limit.h"
#include "event/batch_memory.h"

namespace tracebraid {

#define TB_FORMAT(name)        \
  namespace name {             \
  extern const Format kFormat; \
  }
#include "format/formats.inc"
#undef TB_FORMAT

std::span<const Format* const> all_formats() {
  static constexpr const Format* kAll[] = {
#define TB_FORMAT(name) &name::kFormat,
#include "format/formats.inc"
#undef TB_FORMAT
  };
  return kAll;
}

const Format* detect(const Peek& peek) {
  const Format* best = nullptr;
  Match match = Match::No;
  for (const Format* format : all_formats()) {
    const Match answer = format->sniff(peek);
    if (answer > match) {
      best = format;
      match = answer;
    }
  }
  return best;
}

struct Chunks::Chunk {
  EventBatch batch;
  EventSink sink{batch};
};

Chunks::Chunks(Workers& workers, HeldMemory* memory) : memory_(memory), group_(workers) {}
Chunks::~Chunks() = default;

void Chunks::count_added() {
  if (added_ == nullptr || memory_ == nullptr) return;
  const size_t now = batch_memory(*added_);
  if (now > added_bytes_ && memory_->take(now - added_bytes_)) added_bytes_ = now;
}

EventSink& Chunks::add() {
  count_added();
  chunks_.push_back(std::make_unique<Chunk>());
  added_ = &chunks_.back()->batch;
  added_bytes_ = 0;
  return chunks_.back()->sink;
}

void Chunks::run(std::function<void(EventSink&)> fill) {
  count_added();
  chunks_.push_back(std::make_unique<Chunk>());
  group_.add([chunk = chunks_.back().get(), memory = memory_, fill = std::move(fill)] {
    if (memory != nullptr && memory->is_exceeded()) return;
    fill(chunk->sink);
    if (memory != nullptr) memory->take(batch_memory(chunk->batch));
  });
}

void Chunks::clear() {
  group_.wait();
  added_ = nullptr;
  chunks_.clear();
}

std::vector<EventBatch> Chunks::finish() && {
  group_.wait();
  count_added();
  std::vector<EventBatch> batches;
  batches.reserve(chunks_.size());
  for (const std::unique_ptr<Chunk>& chunk : chunks_) batches.push_back(std::move(chunk->batch));
  return batches;
}

}  // namespace tracebraid
