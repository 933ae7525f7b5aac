#include "format/json/elements.h"

#include <algorithm>
#include <cstring>

namespace tracebraid::json {
namespace {

using Why = ElementsEnd::Why;

char closing(Form form) {
  switch (form) {
    case Form::Array:
      return ']';
    case Form::Object:
      return '}';
    case Form::Lines:
      break;
  }
  return '\0';
}

// The element at the cursor, written to the piece if it is an event.
Parse read_element(const Elements& elements, Cursor& cursor, Piece& piece, Members& members) {
  const char* const begin = cursor.at;
  if (elements.form == Form::Object) {
    StringToken key;
    if (const Parse parse = read_key(cursor, key); parse != Parse::Ok) return parse;
  }
  members.at = elements.at + static_cast<uint64_t>(cursor.at - elements.bytes.data());
  if (*cursor.at == '{') {
    const Parse parse =
        read_members(cursor, {elements.depth, piece.depth_limit}, piece.sink, piece.args, members);
    if (parse == Parse::Ok) {
      write_event(piece, members);
    } else if (members.args != kNone) {
      piece.sink.batch().args.rows.resize(members.args);
    }
    return parse;
  }
  Value other;
  uint32_t deepest = elements.depth;
  const Parse parse = read_raw(cursor, elements.depth, deepest, other);
  if (parse == Parse::Ok)
    piece.sink.count(Stat::json_event_not_object, members.at,
                     {begin, static_cast<size_t>(cursor.at - begin)});
  return parse;
}

// Top-level members that may follow the event array.
bool is_top_level_key(std::string_view key) {
  static constexpr std::string_view kKeys[] = {
      "displayTimeUnit", "metadata",       "otherData",         "stackFrames",
      "samples",         "traceEvents",    "systemTraceEvents", "controllerTraceDataKey",
      "traceName",       "beginningOfTime"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

// Whether the bracket at `at` looks like that of the event array.
bool closes_array(const char* at, const char* end) {
  at = skip_space(at + 1, end);
  if (at == end) return true;
  if (*at == '}') return skip_space(at + 1, end) == end;
  if (*at != ',') return false;
  at = skip_space(at + 1, end);
  StringToken key;
  if (at == end || *at != '"' || scan_string(at + 1, end, key) == nullptr) return false;
  return is_top_level_key(key.raw);
}

// Where to go on after an error at `at`: at a brace that follows "}," or ",\n",
// at a line that starts with {", or at the end of the array. Null if there is
// no such place.
const char* find_resumption(const char* at, const char* end) {
  for (; at < end; ++at) {
    const char* next = nullptr;
    switch (*at) {
      case '}':
        next = skip_space(at + 1, end);
        if (next < end && *next == ']' && closes_array(next, end)) return next;
        if (next == end || *next != ',') break;
        next = skip_space(next + 1, end);
        if (next == end || *next == '{') return next;
        break;
      case ',':
        next = skip_space(at + 1, end);
        if (next < end && *next == '{' && std::memchr(at, '\n', static_cast<size_t>(next - at)))
          return next;
        break;
      case '\n':
        if (end - at > 2 && at[1] == '{' && at[2] == '"') return at + 1;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

// Commas and blanks between elements; NULs are what a preallocated file ends with.
void read_commas(Cursor& cursor, Before& before, EventSink& sink) {
  uint64_t extra = 0;
  for (; !cursor.is_at_end(); ++cursor.at) {
    if (is_space(*cursor.at) || *cursor.at == '\0') continue;
    if (*cursor.at != ',') break;
    extra += before == Before::Element ? 0 : 1;
    before = Before::Comma;
  }
  if (extra != 0) sink.tally(Stat::json_extra_comma, static_cast<int64_t>(extra));
}

}  // namespace

ElementsEnd read_elements(const Elements& elements, Piece& piece) {
  const char* const first = elements.bytes.data();
  Cursor cursor{first, first + elements.bytes.size()};
  Before before = elements.before;
  Members members;
  const auto end = [&](Why why, const char* at) {
    return ElementsEnd{why, static_cast<size_t>(at - first), before};
  };
  for (;;) {
    read_commas(cursor, before, piece.sink);
    if (cursor.is_at_end()) return end(Why::Open, cursor.at);
    if (elements.form != Form::Lines && *cursor.at == closing(elements.form))
      return end(Why::Closed, cursor.at + 1);
    if (elements.form == Form::Lines && *cursor.at != '{') return end(Why::Closed, cursor.at);

    const char* const begin = cursor.at;
    const Parse parse = read_element(elements, cursor, piece, members);
    if (parse == Parse::Cut && !elements.is_final) return end(Why::Cut, begin);
    if (parse == Parse::Ok) {
      if (before == Before::Element && elements.form != Form::Lines)
        piece.sink.tally(Stat::json_missing_comma);
      before = Before::Element;
      ++piece.facts.elements;
      continue;
    }
    const uint64_t at = elements.at + static_cast<uint64_t>(begin - first);
    const std::string_view rest(begin, static_cast<size_t>(cursor.end - begin));
    if (parse == Parse::Cut) {
      piece.sink.count(Stat::json_truncated, at, rest);
      return end(Why::Open, cursor.end);
    }
    const char* resume = find_resumption(cursor.at, cursor.end);
    if (resume == nullptr) {
      if (!elements.is_final) return end(Why::Cut, begin);
      resume = cursor.end;
    }
    const auto skipped = static_cast<size_t>(resume - begin);
    piece.sink.count(Stat::json_tokenizer_failure, at, rest.substr(0, skipped));
    piece.sink.tally(Stat::json_skipped_bytes, static_cast<int64_t>(skipped));
    cursor.at = resume;
    before = Before::Comma;
    if (++piece.facts.syntax_errors > kMaxSyntaxErrors) return end(Why::GaveUp, resume);
  }
}

namespace {

constexpr size_t kMaxGuesses = 256;
constexpr size_t kMaxEventLook = size_t{64} << 10;

const char* skip_space_back(const char* at, const char* first) {
  while (at > first && is_space(at[-1])) --at;
  return at;
}

// Whether what comes before an object lets it be an element.
bool follows_element(const char* at, const char* first, Form form) {
  at = skip_space_back(at, first);
  if (at == first) return false;
  if (form == Form::Lines && at[-1] == '}') return true;
  if (at[-1] != ',') return false;
  at = skip_space_back(at - 1, first);
  return at > first && at[-1] == '}';
}

bool has_phase(const char* at, const char* end) {
  Cursor cursor{at + 1, end};
  uint64_t extra_commas = 0;
  bool closed = false;
  while (!closed) {
    StringToken key;
    Value value;
    uint32_t deepest = 0;
    cursor.skip_space();
    if (cursor.is_at_end() || read_key(cursor, key) != Parse::Ok) return false;
    if (read_raw(cursor, 0, deepest, value) != Parse::Ok) return false;
    if (key.raw == "ph") return value.has(Kind::String);
    if (read_separator(cursor, '}', extra_commas, closed) != Parse::Ok) return false;
  }
  return false;
}

}  // namespace

std::optional<size_t> guess_start_of_event(std::string_view bytes, Form form) {
  if (form == Form::Object) return std::nullopt;
  const char* const first = bytes.data();
  size_t left = bytes.size();
  for (size_t guesses = 0; guesses < kMaxGuesses && left > 0;) {
    const void* const found = memrchr(first, '{', left);
    if (found == nullptr) break;
    const char* const at = static_cast<const char*>(found);
    left = static_cast<size_t>(at - first);
    if (left == 0 || !follows_element(at, first, form)) continue;
    ++guesses;
    if (has_phase(at, at + std::min(kMaxEventLook, bytes.size() - left))) return left;
  }
  return std::nullopt;
}

}  // namespace tracebraid::json
