#include "format/json/document/elements.h"
#include "format/json/stats.h"
#include "format/json/trace_event/events.h"
#include "json/member_scan.h"

#include <algorithm>
#include <cstring>

namespace tracebraid::json {
namespace {

using Why = ElementsEnd::Why;

// Limit of the bytes of an object that are read to detect an event.
constexpr size_t kMaxEventLook = size_t{64} << 10;
constexpr size_t kMaxTruncationText = 4096;
constexpr size_t kResumptionLook = size_t{1} << 20;
// How much of a chunk is read before room is made for the rest, and of which chunks.
constexpr size_t kRoomLook = size_t{128} << 10;
constexpr size_t kMostWithRoom = size_t{16} << 20;

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

// The element at the cursor, written to the chunk if it is an event.
Parse read_element(const Elements& elements, Cursor& cursor, Chunk& chunk, Members& members) {
  const char* const begin = cursor.at;
  if (elements.form == Form::Object) {
    StringToken key;
    if (const Parse parse = read_key(cursor, key); parse != Parse::Ok) return parse;
  }
  members.at = elements.offset(cursor.at);
  if (*cursor.at == '{') {
    const Parse parse =
        read_members(cursor, {elements.depth, chunk.depth_limit}, chunk.sink, chunk.args, members);
    if (parse == Parse::Ok) {
      write_event(chunk, members);
    } else if (members.args != kNone) {
      chunk.sink.batch().args.rows.resize(members.args);
    }
    return parse;
  }
  Value other;
  uint32_t deepest = elements.depth;
  const Parse parse = read_raw(cursor, elements.depth, deepest, other);
  if (parse == Parse::Ok)
    chunk.sink.count(stats::json_event_not_object, members.at,
                     {begin, static_cast<size_t>(cursor.at - begin)});
  return parse;
}

// Returns whether the key is a top-level member that may follow the event array.
bool is_top_level_key(std::string_view key) {
  static constexpr std::string_view kKeys[] = {
      "displayTimeUnit", "metadata",       "otherData",         "stackFrames",
      "samples",         "traceEvents",    "systemTraceEvents", "controllerTraceDataKey",
      "traceName",       "beginningOfTime"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

// Returns whether the bracket at `at` looks like that of the event array. Returns false if
// following bytes, which are not available yet, may decide better.
bool closes_array(const char* at, const char* end, bool is_final) {
  at = skip_space(at + 1, end);
  if (at == end) return is_final;
  if (*at == '}') return is_final && skip_space(at + 1, end) == end;
  if (*at != ',') return false;
  at = skip_space(at + 1, end);
  StringToken key;
  if (at == end || *at != '"' || scan_string(at + 1, end, key) == nullptr) return false;
  return is_top_level_key(key.raw);
}

// Whether an object has a phase among its first kMaxEventLook bytes. Takes the scanned bytes from
// `budget`.
bool looks_like_event(const char* at, const char* end, size_t* budget = nullptr) {
  MemberScan members({at, std::min(kMaxEventLook, static_cast<size_t>(end - at))});
  bool found = false;
  while (!found && members.next())
    found = members.key().raw == "ph" && members.value().has(Kind::String);
  if (budget != nullptr) *budget -= std::min(*budget, static_cast<size_t>(members.position() - at));
  return found;
}

// Returns the position after `at`, a character that may end something, at which an event or the end
// of the array may be; null if there is none.
const char* may_resume(const char* at, const char* end, bool is_final) {
  const char* next = skip_space(at + 1, end);
  switch (*at) {
    case '}':
      if (next < end && *next == ']') return closes_array(next, end, is_final) ? next : nullptr;
      if (next == end || *next != ',') return nullptr;
      next = skip_space(next + 1, end);
      if (next == end) return is_final ? next : nullptr;
      return *next == '{' ? next : nullptr;
    case ',':
      if (next == end || *next != '{') return nullptr;
      return std::memchr(at, '\n', static_cast<size_t>(next - at)) != nullptr ? next : nullptr;
    case '\n':
      return end - at > 2 && at[1] == '{' && at[2] == '"' ? at + 1 : nullptr;
    default:
      return nullptr;
  }
}

// Returns an event that the broken one at `begin` seems to contain because a quote or a brace is
// missing: it begins a line, or is at the position of the error. Returns null if there is none.
const char* find_swallowed(const char* begin, const char* error, const char* end) {
  size_t budget = kResumptionLook;
  for (const char* at = begin + 1; at < error && budget > 0; ++at) {
    if (*at != '}' && *at != '\n') continue;
    const char* const next = may_resume(at, end, false);
    if (next == nullptr || *next != '{' || next > error) continue;
    if (next[-1] != '\n' && next != error) continue;
    if (looks_like_event(next, end, &budget)) return next;
  }
  return nullptr;
}

// Returns where to continue after an error at `error` in the element at `begin` (spec json 2.4): at
// an object that follows "}," or ",\n" or begins a line, or at the end of the array; null if there
// is no such position. Args contain lists of objects as well, so within a line only an object that
// looks like an event is accepted, as long as the budget lasts.
const char* find_resumption(const char* begin, const char* error, const char* end, bool is_final) {
  if (const char* const swallowed = find_swallowed(begin, error, end)) return swallowed;
  size_t budget = kResumptionLook;
  for (const char* at = error; at < end; ++at) {
    if (*at != '}' && *at != ',' && *at != '\n') continue;
    const char* const next = may_resume(at, end, is_final);
    if (next == nullptr) continue;
    const bool starts_line = next[-1] == '\n';
    if (next == end || *next == ']' || starts_line || budget == 0) return next;
    if (looks_like_event(next, end, &budget)) return next;
  }
  return nullptr;
}

// Reads commas and blanks between elements; a preallocated file ends with NULs.
void read_commas(const Elements& elements, Cursor& cursor, Before& before, EventSink& sink) {
  for (; !cursor.is_at_end(); ++cursor.at) {
    if (is_space(*cursor.at) || *cursor.at == '\0') continue;
    if (*cursor.at != ',') break;
    if (before != Before::Element) sink.count(stats::json_extra_comma, elements.offset(cursor.at));
    before = Before::Comma;
  }
}

// Room for the events and args of the whole chunk, judged by those of its first part.
void make_room(EventBatch& batch, size_t read, size_t size) {
  const auto of_all = [&](size_t count) { return count + count * (size - read) / read * 17 / 16; };
  for (Stream& stream : batch.streams) stream.events.reserve(of_all(stream.events.size()));
  batch.args.rows.reserve(of_all(batch.args.rows.size()));
}

}  // namespace

ElementsEnd read_elements(const Elements& elements, Chunk& chunk) {
  const char* const first = elements.bytes.data();
  Cursor cursor{first, first + elements.bytes.size()};
  Before before = elements.before;
  size_t room_at = elements.bytes.size() < kMostWithRoom ? kRoomLook : SIZE_MAX;
  Members members;
  const auto end = [&](Why why, const char* at) {
    return ElementsEnd{why, static_cast<size_t>(at - first), before};
  };
  for (;;) {
    read_commas(elements, cursor, before, chunk.sink);
    if (cursor.is_at_end()) return end(Why::Open, cursor.at);
    if (elements.form != Form::Lines && *cursor.at == closing(elements.form))
      return end(Why::Closed, cursor.at + 1);
    const bool is_stray = elements.form == Form::Lines && *cursor.at != '{';
    if (is_stray && *cursor.at == '[') return end(Why::Closed, cursor.at);

    const char* const begin = cursor.at;
    const Parse parse = is_stray ? Parse::Bad : read_element(elements, cursor, chunk, members);
    if (parse == Parse::Cut && !elements.is_final) return end(Why::Cut, begin);
    if (parse == Parse::Ok) {
      if (before == Before::Element && elements.form != Form::Lines)
        chunk.sink.count(stats::json_missing_comma, elements.offset(begin));
      before = Before::Element;
      ++chunk.facts.elements;
      if (const auto read = static_cast<size_t>(cursor.at - first); read >= room_at) {
        make_room(chunk.sink.batch(), read, elements.bytes.size());
        room_at = SIZE_MAX;
      }
      continue;
    }
    const uint64_t at = elements.offset(begin);
    const std::string_view rest(begin, static_cast<size_t>(cursor.end - begin));
    if (parse == Parse::Cut) {
      chunk.facts.truncation = {at, std::string(rest.substr(0, kMaxTruncationText))};
      return end(Why::Open, cursor.end);
    }
    const char* resume = find_resumption(begin, cursor.at, cursor.end, elements.is_final);
    if (resume == nullptr) {
      if (!elements.is_final) return end(Why::Cut, begin);
      if (is_stray) return end(Why::Closed, begin);  // the text is not lines of events
      resume = cursor.end;
    }
    const auto skipped = static_cast<size_t>(resume - begin);
    chunk.sink.count(stats::json_tokenizer_failure, at, rest.substr(0, skipped));
    chunk.sink.tally(stats::json_skipped_bytes, static_cast<int64_t>(skipped));
    cursor.at = resume;
    before = Before::Comma;
    if (++chunk.facts.syntax_errors > kMaxSyntaxErrors) return end(Why::GaveUp, resume);
  }
}

namespace {

constexpr size_t kMaxGuesses = 256;

const char* skip_space_back(const char* at, const char* first) {
  while (at > first && is_space(at[-1])) --at;
  return at;
}

// Returns whether the characters before an object allow it to be an element.
bool follows_element(const char* at, const char* first, Form form) {
  at = skip_space_back(at, first);
  if (at == first) return false;
  if (form == Form::Lines && at[-1] == '}') return true;
  if (at[-1] != ',') return false;
  at = skip_space_back(at - 1, first);
  return at > first && at[-1] == '}';
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
    if (looks_like_event(at, first + bytes.size())) return left;
  }
  return std::nullopt;
}

}  // namespace tracebraid::json
