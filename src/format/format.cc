#include "format/format.h"

#include <utility>

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

Pieces::Pieces(Workers& workers) : group_(workers) {}
Pieces::~Pieces() = default;

EventSink& Pieces::add() {
  pieces_.push_back(std::make_unique<Piece>());
  return pieces_.back()->sink;
}

void Pieces::run(std::function<void(EventSink&)> fill) {
  pieces_.push_back(std::make_unique<Piece>());
  group_.add([piece = pieces_.back().get(), fill = std::move(fill)] { fill(piece->sink); });
}

void Pieces::clear() {
  group_.wait();
  pieces_.clear();
}

std::vector<EventBatch> Pieces::finish() && {
  group_.wait();
  std::vector<EventBatch> batches;
  batches.reserve(pieces_.size());
  for (const std::unique_ptr<Piece>& piece : pieces_) batches.push_back(std::move(piece->batch));
  return batches;
}

}  // namespace tracebraid
