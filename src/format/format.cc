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

struct Pieces::Piece {
  EventBatch batch;
  EventSink sink{batch};
};

Pieces::Pieces(Workers& workers, HeldMemory* memory) : memory_(memory), group_(workers) {}
Pieces::~Pieces() = default;

void Pieces::count_added() {
  if (added_ == nullptr || memory_ == nullptr) return;
  const size_t now = batch_memory(*added_);
  if (now > added_bytes_ && memory_->take(now - added_bytes_)) added_bytes_ = now;
}

EventSink& Pieces::add() {
  count_added();
  pieces_.push_back(std::make_unique<Piece>());
  added_ = &pieces_.back()->batch;
  added_bytes_ = 0;
  return pieces_.back()->sink;
}

void Pieces::run(std::function<void(EventSink&)> fill) {
  count_added();
  pieces_.push_back(std::make_unique<Piece>());
  group_.add([piece = pieces_.back().get(), memory = memory_, fill = std::move(fill)] {
    if (memory != nullptr && memory->is_exceeded()) return;
    fill(piece->sink);
    if (memory != nullptr) memory->take(batch_memory(piece->batch));
  });
}

void Pieces::clear() {
  group_.wait();
  added_ = nullptr;
  pieces_.clear();
}

std::vector<EventBatch> Pieces::finish() && {
  group_.wait();
  count_added();
  std::vector<EventBatch> batches;
  batches.reserve(pieces_.size());
  for (const std::unique_ptr<Piece>& piece : pieces_) batches.push_back(std::move(piece->batch));
  return batches;
}

}  // namespace tracebraid
