#include "format/common/json_scan.h"

#include <fmt/format.h>

#include <cmath>

#include "base/words.h"

namespace tracebraid {
namespace {

constexpr json::Value kAbsent{};

}  // namespace

bool JsonScan::enter(char open) {
  cursor_.skip_space();
  if (problem_ != json::Parse::Ok || cursor_.is_at_end() || *cursor_.at != open) {
    take();
    return false;
  }
  ++cursor_.at;
  is_first_ = true;
  return true;
}

bool JsonScan::next(char close) {
  if (problem_ != json::Parse::Ok) return false;
  bool closed = false;
  uint64_t ignored = 0;
  if (std::exchange(is_first_, false)) {
    closed = json::read_opening(cursor_, close, ignored);
  } else {
    const json::Parse parse = json::read_separator(cursor_, close, ignored, closed);
    if (parse != json::Parse::Ok) stop(parse);
  }
  if (cursor_.is_at_end() && !closed) stop(json::Parse::Cut);
  return !closed && problem_ == json::Parse::Ok;
}

bool JsonScan::next_item() {
  if (!next(']')) return false;
  if (input_ != nullptr) release();
  return true;
}

bool JsonScan::next_member(std::string_view& key) {
  if (!next('}')) return false;
  json::StringToken token;
  if (const json::Parse parse = json::read_key(cursor_, token); parse != json::Parse::Ok) {
    stop(parse);
    return false;
  }
  key = json::text_of(token, key_);
  return true;
}

const json::Value& JsonScan::take() {
  value_ = {};
  cursor_.skip_space();
  if (cursor_.is_at_end()) stop(json::Parse::Cut);
  if (problem_ != json::Parse::Ok) return value_;
  uint32_t deepest = 0;
  const char* const from = cursor_.at;
  const json::Parse parse = json::read_raw(cursor_, 0, deepest, value_);
  if (parse == json::Parse::Ok) return value_;
  stop(parse);
  value_ = {};
  // A truncated container may be large.
  if (parse == json::Parse::Cut && (*from == '{' || *from == '[')) {
    value_.kind = *from == '{' ? json::Kind::Object : json::Kind::Array;
    value_.raw = {from, static_cast<size_t>(cursor_.end - from)};
  }
  return value_;
}

void JsonScan::release() {
  constexpr ptrdiff_t kReleased = ptrdiff_t{4} << 20;
  if (cursor_.at - done_ < kReleased) return;
  input_->done({.bytes = {done_, static_cast<size_t>(cursor_.at - done_)}});
  done_ = cursor_.at;
}

JsonFields::JsonFields(std::string_view text) {
  if (text.empty()) return;
  JsonScan scan(text);
  std::string_view key;
  if (scan.enter('{'))
    while (scan.next_member(key)) {
      std::string name(key);
      fields_.emplace_back(std::move(name), scan.take());
    }
  is_cut_ = scan.is_cut();
  is_bad_ = scan.is_bad();
  end_ = scan.position();
}

const json::Value& JsonFields::operator[](std::string_view key) const {
  for (const auto& [name, value] : fields_)
    if (name == key) return value;
  return kAbsent;
}

std::optional<double> scanned_number(const json::Value& value) {
  if (!value.has(json::Kind::Number)) return std::nullopt;
  const double number = json::to_double(value.number, value.raw);
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<int64_t> scanned_integer(const json::Value& value) {
  if (!value.has(json::Kind::Number)) return std::nullopt;
  return json::to_int64(value.number);
}

std::string scanned_text(const json::Value& value) {
  if (!value.has(json::Kind::String)) return {};
  std::string scratch;
  return std::string(json::text_of(value, scratch));
}

Result<JsonFile> open_json(Input& input) {
  JsonFile file{.block = input.all(), .root = {}};
  const std::string_view text = without_byte_order_mark(file.block.bytes);
  file.root = JsonFields(text);
  if (file.root.is_bad() || file.root.all().empty())
    return fail(ErrorCode::BadInput,
                fmt::format("not a JSON document: unexpected byte {}",
                            file.root.end() == nullptr ? 0 : file.root.end() - text.data()));
  // All bytes have been scanned once; the reader scans them again, which is no progress.
  Block seen = file.block;
  seen.again = seen.bytes.size();
  input.done(seen);
  return file;
}

void count_json(EventSink& sink, StatId stat, const Block& file, const char* at) {
  constexpr size_t kMostText = 128;
  const std::string_view text = file.bytes;
  if (at < text.data() || at > text.data() + text.size()) return sink.tally(stat);
  const auto offset = static_cast<size_t>(at - text.data());
  sink.count(stat, file.at + offset, text.substr(offset, kMostText));
}

}  // namespace tracebraid
