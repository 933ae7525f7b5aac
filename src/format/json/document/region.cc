#include "format/json/document/region.h"

#include <algorithm>
#include <utility>

namespace tracebraid::json {
namespace {

using Why = ElementsEnd::Why;

// The part of a block that is not worth cutting: the end of the file, most likely.
constexpr size_t kSmallPart = 64;

struct Slab {
  Block block;
  Before before = Before::Comma;  // guessed
  EventBatch* batch = nullptr;    // of its chunk
  ElementsEnd end;
  ChunkFacts facts;
  bool is_read = false;
};

// The slabs in the order of the file: each is settled when all before it are.
// Tasks call read_slab() in any order.
class SlabChain {
 public:
  SlabChain(const RegionForm& form, const ByteStream& stream, FileFacts& facts)
      : form_(form), stream_(stream), facts_(facts) {}

  Slab& add(Block block, Before before);
  // Reads it, and settles what can be settled.
  void read(Slab& slab, EventSink& sink);
  // No more slabs are of use.
  bool has_ended();

  // Once all slabs are read: what was cut off at the end of the file.
  void finish(Chunks& chunks);
  RegionEnd end() const { return {closed_, gave_up_}; }
  // Bytes of slabs behind the end of the region.
  std::deque<Block> unused();

 private:
  ElementsEnd read_text(std::string_view bytes, uint64_t at, Before before, bool is_final,
                        EventSink& sink, ChunkFacts& facts) const;
  void settle(Slab& slab);
  void settle_anew(Slab& slab);
  void take(const ElementsEnd& end, std::string_view bytes, uint64_t at);

  const RegionForm form_;
  const ByteStream& stream_;
  FileFacts& facts_;

  std::mutex mutex_;                         // guards what follows
  std::deque<std::unique_ptr<Slab>> slabs_;  // not settled yet, or unused
  bool closed_ = false;
  bool gave_up_ = false;
  Before before_ = Before::Opening;
  std::string carry_;      // an element that goes on in the next slab
  uint64_t carry_at_ = 0;  // its offset in the file
  size_t retry_size_ = 0;  // of carry_: reading less of it again is no use
  std::deque<Block> unused_;
};

Slab& SlabChain::add(Block block, Before before) {
  const std::lock_guard lock(mutex_);
  Slab& slab = *slabs_.emplace_back(std::make_unique<Slab>());
  slab.block = std::move(block);
  slab.before = before;
  return slab;
}

void SlabChain::read(Slab& slab, EventSink& sink) {
  slab.batch = &sink.batch();
  slab.end = read_text(slab.block.bytes, slab.block.at, slab.before, false, sink, slab.facts);
  const std::lock_guard lock(mutex_);
  slab.is_read = true;
  while (!slabs_.empty() && slabs_.front()->is_read) {
    settle(*slabs_.front());
    slabs_.pop_front();
  }
}

bool SlabChain::has_ended() {
  const std::lock_guard lock(mutex_);
  return closed_ || gave_up_;
}

ElementsEnd SlabChain::read_text(std::string_view bytes, uint64_t at, Before before, bool is_final,
                                 EventSink& sink, ChunkFacts& facts) const {
  Chunk chunk(sink, form_.depth_limit, bytes.size());
  const ElementsEnd end =
      read_elements({bytes, at, before, form_.form, form_.depth, is_final}, chunk);
  facts = std::move(chunk.facts);
  facts.id_texts = chunk.threads.texts();
  return end;
}

void SlabChain::settle(Slab& slab) {
  if (closed_ || gave_up_) {
    *slab.batch = EventBatch();
    unused_.push_back(std::move(slab.block));
    return;
  }
  const bool agrees = slab.before == before_ || form_.form == Form::Lines;
  if (!carry_.empty() || !agrees) return settle_anew(slab);
  facts_.settle(std::move(slab.facts), *slab.batch);
  take(slab.end, slab.block.bytes, slab.block.at);
  stream_.done(slab.block);
}

// The guess before the slab was wrong: its bytes belong to what was left over.
void SlabChain::settle_anew(Slab& slab) {
  if (carry_.empty()) carry_at_ = slab.block.at;
  carry_.append(slab.block.bytes);
  stream_.done(slab.block);
  *slab.batch = EventBatch();
  if (carry_.size() < retry_size_) return;
  const std::string text = std::exchange(carry_, {});
  EventSink sink(*slab.batch);
  ChunkFacts facts;
  const ElementsEnd end = read_text(text, carry_at_, before_, false, sink, facts);
  facts_.settle(std::move(facts), *slab.batch);
  take(end, text, carry_at_);
}

// Notes where and how reading `bytes` ended.
void SlabChain::take(const ElementsEnd& end, std::string_view bytes, uint64_t at) {
  before_ = end.before;
  const std::string_view rest = bytes.substr(end.position);
  switch (end.why) {
    case Why::Open:
      break;
    case Why::Cut:
      carry_ = rest;
      carry_at_ = at + end.position;
      // Without any progress the element is larger than all seen of it: wait
      // for twice as much, so that the work stays in proportion.
      retry_size_ = end.position == 0 ? 2 * carry_.size() : 0;
      break;
    case Why::Closed: {
      closed_ = true;
      auto owner = std::make_shared<std::string>(rest);
      if (!rest.empty()) unused_.push_back({*owner, at + end.position, owner});
      break;
    }
    case Why::GaveUp:
      gave_up_ = true;
      break;
  }
  if (facts_.syntax_errors() > kMaxSyntaxErrors) gave_up_ = true;
}

void SlabChain::finish(Chunks& chunks) {
  if (closed_ || gave_up_ || carry_.empty()) return;
  EventSink& sink = chunks.add();
  ChunkFacts facts;
  const std::string text = std::exchange(carry_, {});
  const ElementsEnd end = read_text(text, carry_at_, before_, true, sink, facts);
  facts_.settle(std::move(facts), sink.batch());
  take(end, text, carry_at_);
}

std::deque<Block> SlabChain::unused() { return std::move(unused_); }

// How much of a block to read at once: up to the last event that starts in it.
size_t end_of_slab(std::string_view bytes, Form form, size_t block_bytes) {
  if (bytes.size() < block_bytes / kSmallPart) return bytes.size();
  return guess_start_of_event(bytes, form).value_or(bytes.size());
}

}  // namespace

RegionEnd read_region(ByteStream& stream, const RegionForm& form, Chunks& chunks,
                      FileFacts& facts) {
  SlabChain chain(form, stream, facts);
  Before before = Before::Opening;
  Block tail;
  bool is_last = false;
  while (!is_last && !chain.has_ended()) {
    std::optional<Block> next = stream.take_block(tail);
    is_last = !next;
    Block block = next ? *std::move(next) : std::exchange(tail, {});
    if (block.bytes.empty()) break;
    const size_t cut =
        is_last ? block.bytes.size() : end_of_slab(block.bytes, form.form, stream.block_bytes());
    tail = block;
    tail.bytes = block.bytes.substr(cut);
    tail.at = block.at + cut;
    block.bytes = block.bytes.substr(0, cut);
    Slab& slab = chain.add(std::move(block), std::exchange(before, Before::Comma));
    chunks.run([&chain, &slab](EventSink& sink) { chain.read(slab, sink); });
  }
  chunks.wait();
  chain.finish(chunks);
  std::deque<Block> unused = chain.unused();
  if (!tail.bytes.empty()) unused.push_back(tail);
  stream.give_back(std::move(unused));
  return chain.end();
}

}  // namespace tracebraid::json
