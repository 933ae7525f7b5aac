#include "format/json/wire/stream.h"

#include <algorithm>
#include <memory>

#include "json/text.h"

namespace tracebraid::json {
namespace {

// Finds the end of a value in bytes that arrive in blocks.
class ValueEnd {
 public:
  // Returns how many of the bytes belong to the value.
  size_t feed(std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at < end && !found_) at = in_string_ ? feed_string(at, end) : feed_other(at, end);
    return static_cast<size_t>(at - bytes.data());
  }
  bool is_found() const { return found_; }

 private:
  const char* feed_string(const char* at, const char* end) {
    if (escaped_) {
      escaped_ = false;
      return at + 1;
    }
    at = find_quote_or_backslash(at, end);
    if (at == end) return at;
    if (*at == '"') {
      in_string_ = false;
      found_ = depth_ == 0;
    } else {
      escaped_ = true;
    }
    return at + 1;
  }

  const char* feed_other(const char* at, const char* end) {
    for (; at < end; ++at) {
      switch (*at) {
        case '"':
          if (depth_ == 0 && in_scalar_) break;
          in_string_ = true;
          return at + 1;
        case '{':
        case '[':
          ++depth_;
          break;
        case '}':
        case ']':
          if (depth_ == 0) return stop(at);
          if (--depth_ == 0) return stop(at + 1);
          break;
        case ',':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
          if (depth_ == 0) return stop(at);
          break;
        default:
          in_scalar_ = true;
      }
    }
    return at;
  }

  const char* stop(const char* at) {
    found_ = true;
    return at;
  }

  uint64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_scalar_ = false;
  bool found_ = false;
};

}  // namespace

std::string_view ByteStream::ahead() {
  while (position_ == block_.bytes.size()) {
    std::optional<Block> next = take_block({});
    if (!next) return {};
    release();
    block_ = *std::move(next);
    position_ = 0;
  }
  return block_.bytes.substr(position_);
}

std::optional<char> ByteStream::skip_space() {
  for (std::string_view bytes = ahead(); !bytes.empty(); bytes = ahead()) {
    const char* const end = bytes.data() + bytes.size();
    const char* const at = json::skip_space(bytes.data(), end);
    advance(static_cast<size_t>(at - bytes.data()));
    if (at != end) return *at;
  }
  return std::nullopt;
}

bool ByteStream::take(char c) {
  if (skip_space() != c) return false;
  advance(1);
  return true;
}

std::optional<Block> ByteStream::take_block(const Block& tail) {
  std::optional<Block> next;
  const bool is_fresh = position_ == block_.bytes.size() && returned_.empty();
  if (position_ < block_.bytes.size()) {
    next = Block{block_.bytes.substr(position_), offset(), block_.owner};
    block_.bytes = block_.bytes.substr(0, position_);
  } else if (!returned_.empty()) {
    next = std::move(returned_.front());
    returned_.pop_front();
  } else {
    next = input_.next(block_bytes_, tail.bytes.size());
    if (next) {
      next->again = 0;  // the tail was not accounted for yet
      end_offset_ = next->at + next->bytes.size();
    }
  }
  if (!next || is_fresh || tail.bytes.empty()) return next;
  if (tail.bytes.data() + tail.bytes.size() == next->bytes.data()) {
    next->bytes = {tail.bytes.data(), tail.bytes.size() + next->bytes.size()};
  } else {
    auto joined = std::make_shared<std::string>(tail.bytes);
    joined->append(next->bytes);
    next->bytes = *joined;
    next->owner = std::move(joined);
  }
  next->at = tail.at;
  return next;
}

void ByteStream::give_back(std::deque<Block> blocks) {
  blocks.insert(blocks.end(), std::make_move_iterator(returned_.begin()),
                std::make_move_iterator(returned_.end()));
  returned_ = std::move(blocks);
}

void ByteStream::release() {
  if (position_ == 0) return;
  Block used = block_;
  used.bytes = used.bytes.substr(0, position_);
  used.again = 0;
  input_.done(used);
}

Captured capture(ByteStream& stream, size_t limit) {
  Captured captured;
  ValueEnd end;
  for (std::string_view bytes = stream.ahead(); !bytes.empty(); bytes = stream.ahead()) {
    const size_t size = end.feed(bytes);
    captured.text.append(bytes.substr(0, std::min(size, limit - captured.text.size())));
    captured.is_whole = captured.text.size() < limit || size == 0;
    stream.advance(size);
    if (end.is_found()) break;
  }
  captured.is_ended = end.is_found();
  captured.is_whole = captured.is_whole && captured.is_ended;
  return captured;
}

}  // namespace tracebraid::json
