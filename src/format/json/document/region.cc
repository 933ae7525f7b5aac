#include "format/json/document/region.h"

#include <algorithm>
#include <utility>

namespace tracebraid::json {
namespace {

using Why = ElementsEnd::Why;

// Parts of a block up to this size are not divided: most likely the end of the file.
constexpr size_t kSmallPart = 64;

struct RegionChunk {
  Block block;
  Before before = Before::Comma;  // guessed
  EventBatch* batch = nullptr;    // batch of its chunk
  ElementsEnd end;
  ChunkFacts facts;
  bool is_read = false;
};

// The chunks in the order of the file: each is settled after all chunks before it. Tasks
// call read() in any order.
class RegionChunks {
 public:
  RegionChunks(const RegionForm& form, const ByteStream& stream, FileFacts& facts)
      : form_(form), stream_(stream), facts_(facts) {}

  RegionChunk& add(Block block, Before before);
  // Reads the chunk, and settles the chunks that can be settled.
  void read(RegionChunk& chunk, EventSink& sink);
  // Returns whether later chunks are not needed.
  bool has_ended();

  // Call after all chunks were read: handles an element that the end of the file truncates.
  void finish(Chunks& chunks);
  RegionEnd end() const { return {closed_, gave_up_}; }
  // Returns the bytes of chunks after the end of the region.
  std::deque<Block> unused();

 private:
  ElementsEnd read_text(std::string_view bytes, uint64_t at, Before before, bool is_final,
                        EventSink& sink, ChunkFacts& facts) const;
  void settle(RegionChunk& chunk);
  void settle_anew(RegionChunk& chunk);
  void take(const ElementsEnd& end, std::string_view bytes, uint64_t at);

  const RegionForm form_;
  const ByteStream& stream_;
  FileFacts& facts_;

  std::mutex mutex_;                                 // guards what follows
  std::deque<std::unique_ptr<RegionChunk>> chunks_;  // not settled yet, or unused
  bool closed_ = false;
  bool gave_up_ = false;
  Before before_ = Before::Opening;
  std::string carry_;      // an element that continues in the next chunk
  uint64_t carry_at_ = 0;  // its offset in the file
  size_t retry_size_ = 0;  // size of carry_ that must be exceeded before reading again can succeed
  std::deque<Block> unused_;
};

RegionChunk& RegionChunks::add(Block block, Before before) {
  const std::lock_guard lock(mutex_);
  RegionChunk& chunk = *chunks_.emplace_back(std::make_unique<RegionChunk>());
  chunk.block = std::move(block);
  chunk.before = before;
  return chunk;
}

void RegionChunks::read(RegionChunk& chunk, EventSink& sink) {
  chunk.batch = &sink.batch();
  chunk.end = read_text(chunk.block.bytes, chunk.block.at, chunk.before, false, sink, chunk.facts);
  const std::lock_guard lock(mutex_);
  chunk.is_read = true;
  while (!chunks_.empty() && chunks_.front()->is_read) {
    settle(*chunks_.front());
    chunks_.pop_front();
  }
}

bool RegionChunks::has_ended() {
  const std::lock_guard lock(mutex_);
  return closed_ || gave_up_;
}

ElementsEnd RegionChunks::read_text(std::string_view bytes, uint64_t at, Before before,
                                    bool is_final, EventSink& sink, ChunkFacts& facts) const {
  Chunk chunk(sink, form_.depth_limit, bytes.size());
  const ElementsEnd end =
      read_elements({bytes, at, before, form_.form, form_.depth, is_final}, chunk);
  facts = std::move(chunk.facts);
  facts.id_texts = chunk.threads.texts();
  return end;
}

void RegionChunks::settle(RegionChunk& chunk) {
  if (closed_ || gave_up_) {
    *chunk.batch = EventBatch();
    unused_.push_back(std::move(chunk.block));
    return;
  }
  const bool agrees = chunk.before == before_ || form_.form == Form::Lines;
  if (!carry_.empty() || !agrees) return settle_anew(chunk);
  facts_.settle(std::move(chunk.facts), *chunk.batch);
  take(chunk.end, chunk.block.bytes, chunk.block.at);
  stream_.done(chunk.block);
}

// The guess before the chunk was wrong: its bytes belong to the incomplete element before.
void RegionChunks::settle_anew(RegionChunk& chunk) {
  if (carry_.empty()) carry_at_ = chunk.block.at;
  carry_.append(chunk.block.bytes);
  stream_.done(chunk.block);
  *chunk.batch = EventBatch();
  if (carry_.size() < retry_size_) return;
  const std::string text = std::exchange(carry_, {});
  EventSink sink(*chunk.batch);
  ChunkFacts facts;
  const ElementsEnd end = read_text(text, carry_at_, before_, false, sink, facts);
  facts_.settle(std::move(facts), *chunk.batch);
  take(end, text, carry_at_);
}

// Notes where and how reading `bytes` ended.
void RegionChunks::take(const ElementsEnd& end, std::string_view bytes, uint64_t at) {
  before_ = end.before;
  const std::string_view rest = bytes.substr(end.position);
  switch (end.why) {
    case Why::Open:
      break;
    case Why::Cut:
      carry_ = rest;
      carry_at_ = at + end.position;
      // An element without progress is larger than its bytes so far: waits for twice as much, so
      // that the total work stays proportional.
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

void RegionChunks::finish(Chunks& chunks) {
  if (closed_ || gave_up_ || carry_.empty()) return;
  EventSink& sink = chunks.add();
  ChunkFacts facts;
  const std::string text = std::exchange(carry_, {});
  const ElementsEnd end = read_text(text, carry_at_, before_, true, sink, facts);
  facts_.settle(std::move(facts), sink.batch());
  take(end, text, carry_at_);
}

std::deque<Block> RegionChunks::unused() { return std::move(unused_); }

// Returns how much of a block to read as one chunk: up to the last event that starts in it.
size_t end_of_chunk(std::string_view bytes, Form form, size_t block_bytes) {
  if (bytes.size() < block_bytes / kSmallPart) return bytes.size();
  return guess_start_of_event(bytes, form).value_or(bytes.size());
}

}  // namespace

RegionEnd read_region(ByteStream& stream, const RegionForm& form, Chunks& chunks,
                      FileFacts& facts) {
  RegionChunks chain(form, stream, facts);
  Before before = Before::Opening;
  Block tail;
  bool is_last = false;
  while (!is_last && !chain.has_ended()) {
    std::optional<Block> next = stream.take_block(tail);
    is_last = !next;
    Block block = next ? *std::move(next) : std::exchange(tail, {});
    if (block.bytes.empty()) break;
    const size_t cut =
        is_last ? block.bytes.size() : end_of_chunk(block.bytes, form.form, stream.block_bytes());
    tail = block;
    tail.bytes = block.bytes.substr(cut);
    tail.at = block.at + cut;
    block.bytes = block.bytes.substr(0, cut);
    RegionChunk& chunk = chain.add(std::move(block), std::exchange(before, Before::Comma));
    chunks.run([&chain, &chunk](EventSink& sink) { chain.read(chunk, sink); });
  }
  chunks.wait();
  chain.finish(chunks);
  std::deque<Block> unused = chain.unused();
  if (!tail.bytes.empty()) unused.push_back(tail);
  stream.give_back(std::move(unused));
  return chain.end();
}

}  // namespace tracebraid::json
