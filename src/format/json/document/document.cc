#include "format/json/document/document.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/words.h"
#include "format/json/document/embedded.h"
#include "format/json/document/region.h"
#include "format/json/stats.h"
#include "json/member_scan.h"

namespace tracebraid::json {
namespace {

constexpr size_t kMaxKeyBytes = size_t{4} << 10;
constexpr size_t kMaxMetadataBytes = size_t{512} << 20;   // more than spec json 5.4 demands
constexpr size_t kMaxStringBytes = size_t{4} << 30;       // of an embedded trace
constexpr size_t kMaxControllerBytes = size_t{64} << 20;  // buffered until its key is known
constexpr uint32_t kMaxNesting = 4;

// The state of reading a document.
struct Document {
  ByteStream& stream;
  const ReadOptions& options;
  Chunks& chunks;
  FileContent& content;
  uint32_t nesting;
  // Rows of the file's metadata from a member of this document: first and end.
  absl::flat_hash_map<std::string, std::pair<size_t, size_t>> rows = {};
};

std::string decoded(std::string_view json_string) {
  std::string text;
  if (json_string.size() < 2) return text;
  const bool closed = json_string.back() == '"';
  decode(json_string.substr(1, json_string.size() - (closed ? 2 : 1)), text);
  return text;
}

// Texts within strings have no offset in the file.
void count(Document& document, StatId stat, uint64_t at) {
  document.content.count(stat, document.nesting > 0 ? kNoOffset : at);
}
void count(Document& document, StatId stat) { count(document, stat, document.stream.offset()); }

// Notes that the file is truncated.
void note_truncation(Document& document) {
  document.content.facts.note({document.stream.end_offset(), {}});
}

// Skips bytes between members up to a character with a meaning.
void skip_garbage(Document& document) {
  count(document, stats::json_tokenizer_failure);
  int64_t skipped = 0;
  while (const std::optional<char> c = document.stream.skip_space()) {
    if (*c == '"' || *c == ',' || *c == '}') break;
    document.stream.advance(1);
    ++skipped;
  }
  document.content.tally(stats::json_skipped_bytes, skipped);
}

// Reads a key and its colon. Returns nothing if there is none, or the file ends.
std::optional<std::string> read_key(Document& document) {
  const std::string key = decoded(capture(document.stream, kMaxKeyBytes).text);
  if (document.stream.take(':')) return key;
  if (document.stream.skip_space()) skip_garbage(document);
  return std::nullopt;
}

// Calls read_member(key) for each member of an object whose opening brace was taken.
template <class ReadMember>
void read_object(Document& document, ReadMember read_member) {
  ByteStream& stream = document.stream;
  absl::flat_hash_set<size_t> known;  // hashes of keys
  bool comma = true;                  // before the first member
  for (;;) {
    const std::optional<char> c = stream.skip_space();
    if (!c) {
      note_truncation(document);
      return;
    }
    if (*c == '}') return stream.advance(1);
    if (*c == ',') {
      if (std::exchange(comma, true)) count(document, stats::json_extra_comma);
      stream.advance(1);
      continue;
    }
    if (*c != '"') {
      skip_garbage(document);
      continue;
    }
    if (!std::exchange(comma, false)) count(document, stats::json_missing_comma);
    const uint64_t at = stream.offset();
    const std::optional<std::string> key = read_key(document);
    if (!key) continue;
    if (!known.insert(absl::Hash<std::string>()(*key)).second)
      count(document, stats::json_duplicate_key, at);
    if (!stream.skip_space()) {
      note_truncation(document);
      return;
    }
    read_member(*key);
    if (document.content.gave_up) return;
  }
}

// Stores a value as a row of metadata.
void read_metadata(Document& document, std::string key) {
  Captured value = capture(document.stream, kMaxMetadataBytes);
  if (!value.is_ended) return;  // the file ends within it
  if (!value.is_whole) count(document, stats::json_metadata_truncated);
  document.content.facts.metadata().push_back({std::move(key), std::move(value.text)});
}

// Stores the members of an object as rows, any other value as one row. Of equal keys the last
// applies.
void read_metadata_member(Document& document, const std::string& key) {
  std::vector<MetadataText>& all = document.content.facts.metadata();
  auto& [first, end] = document.rows[key];
  for (; first < end; ++first) all[first].json.clear();
  first = all.size();
  if (document.stream.skip_space() == '{') {
    document.stream.advance(1);
    read_object(document, [&](const std::string& member) {
      read_metadata(document, "json_" + key + "." + member);
    });
  } else {
    read_metadata(document, "json_" + key);
  }
  end = all.size();
}

// Whether a member that is stored as metadata shows that the document is a trace.
bool is_usual_in_traces(std::string_view key) {
  constexpr std::string_view kKeys[] = {"metadata", "otherData", "traceName", "schemaVersion",
                                        "deviceProperties"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

// Reads a member without a meaning of its own, unless a later member defines one.
void read_other_member(Document& document, const std::string& key) {
  FileContent& content = document.content;
  if (!is_usual_in_traces(key) && content.unknown_members++ == 0)
    content.first_unknown_member = key;
  const std::vector<MetadataText>& rows = content.facts.metadata();
  const std::optional<char> first = document.stream.skip_space();
  const bool may_be_trace = first == '{' || first == '[' || first == '"';
  MaybeController member{key, {}, rows.size()};
  const size_t room = kMaxControllerBytes - content.maybe_bytes;
  if (may_be_trace && content.controller_key.empty()) document.stream.record_to(&member.json, room);
  read_metadata_member(document, key);
  document.stream.record_to(nullptr);
  member.rows = rows.size() - member.first_row;
  if (member.json.empty() || member.json.size() == room) return;
  content.maybe_bytes += member.json.size();
  content.maybe_controllers.push_back(std::move(member));
}

void set_controller_key(FileContent& content, std::string key) {
  content.controller_key = std::move(key);
  for (MaybeController& member : std::exchange(content.maybe_controllers, {})) {
    if (member.key != content.controller_key) continue;
    if (!note_embedded(member.key, std::move(member.json), content)) continue;
    for (size_t i = 0; i < member.rows; ++i)
      content.facts.metadata()[member.first_row + i].json.clear();
  }
}

void read_events(Document& document, Form form, uint32_t depth) {
  const RegionEnd end = read_region(document.stream, {form, depth, document.options.max_json_depth},
                                    document.chunks, document.content.facts);
  document.content.gave_up |= end.gave_up;
  if (!end.closed && form == Form::Object) note_truncation(document);
}

// Reads events that are a document inside a string.
void read_events_in_string(Document& document) {
  const Captured value = capture(document.stream, kMaxStringBytes);
  if (!value.is_whole || document.nesting >= kMaxNesting) {
    count(document, stats::json_trace_events_type);
    return;
  }
  const auto text = std::make_shared<std::string>(decoded(value.text));
  Input input(*text, text);
  ByteStream stream(input);
  read_documents(stream, document.options, document.chunks, document.content, document.nesting + 1);
}

void read_trace_events(Document& document) {
  switch (*document.stream.skip_space()) {
    case '[':
      document.stream.advance(1);
      return read_events(document, Form::Array, 2);
    case '{':
      document.stream.advance(1);
      return read_events(document, Form::Object, 2);
    case '"':
      return read_events_in_string(document);
    default:
      const uint64_t at = document.stream.offset();
      if (capture(document.stream, kMaxKeyBytes).text != "null")
        count(document, stats::json_trace_events_type, at);
  }
}

// Reads a trace inside the file.
void read_embedded(Document& document, const std::string& key) {
  note_embedded(key, capture(document.stream, kMaxStringBytes).text, document.content);
}

// Drops an entry that the end of the file truncates, and keeps those before it.
void read_frames(Document& document) {
  document.stream.advance(1);
  read_object(document, [&](const std::string& id) {
    const Captured frame = capture(document.stream, kMaxStringBytes);
    if (frame.is_ended) document.content.facts.stacks().add_frame(id, frame.text);
  });
}

void read_samples(Document& document) {
  ByteStream& stream = document.stream;
  stream.advance(1);
  for (;;) {
    const std::optional<char> c = stream.skip_space();
    if (!c) return note_truncation(document);
    if (*c == ']') return stream.advance(1);
    if (*c == ',') {
      stream.advance(1);
      continue;
    }
    const uint64_t at = stream.offset();
    const Captured sample = capture(stream, kMaxStringBytes);
    if (sample.is_ended) document.content.facts.stacks().add_sample(sample.text);
    if (stream.offset() == at) stream.advance(1);  // a stray bracket
  }
}

// Skips members that have a meaning but no tables yet.
void skip_member(Document& document, const std::string& key) {
  const uint64_t begin = document.stream.offset();
  capture(document.stream, 0);
  document.content.not_imported.push_back({"member " + key, 1, document.stream.offset() - begin});
}

void read_member(Document& document, const std::string& key) {
  FileContent& content = document.content;
  ++content.members;
  if (key == "traceEvents") return read_trace_events(document);
  if (key == "systemTraceEvents" || key == "powerTraceAsString" || key == "battorLogAsString" ||
      key == "androidProcessDump" ||
      (!content.controller_key.empty() && key == content.controller_key))
    return read_embedded(document, key);
  if (key == "stackFrames" && document.stream.skip_space() == '{') return read_frames(document);
  if (key == "traceAnnotations") {
    Captured notes = capture(document.stream, kMaxStringBytes);
    if (notes.is_ended) content.annotations.push_back(std::move(notes.text));
    return;
  }
  if (key == "samples" && document.stream.skip_space() == '[') return read_samples(document);
  if (key == "stackFrames" || key == "samples") return skip_member(document, key);
  if (key == "displayTimeUnit" || key == "controllerTraceDataKey") {
    const Captured value = capture(document.stream, kMaxKeyBytes);
    if (key == "displayTimeUnit") {
      content.tally(stats::json_display_time_unit);
      content.display_time_unit = value.text;
      if (value.text != "\"ms\"" && value.text != "\"ns\"") return;
    } else {
      set_controller_key(content, decoded(value.text));
    }
    content.facts.metadata().push_back({"json_" + key, value.text});
    return;
  }
  read_other_member(document, key);
}

// Returns whether the next object is an event, as in newline-delimited JSON: it has a phase, and no
// trace events before the phase.
bool is_event(std::string_view bytes) {
  MemberScan members(bytes);
  while (members.next()) {
    if (members.key().raw == "ph") return true;
    if (members.key().raw == "traceEvents") return false;
  }
  return false;
}

void read_document(Document& document, char first) {
  if (first == '{' && is_event(document.stream.ahead()))
    return read_events(document, Form::Lines, 0);
  document.rows.clear();
  document.stream.advance(1);
  if (first == '[') return read_events(document, Form::Array, 1);
  read_object(document, [&](const std::string& key) { read_member(document, key); });
}

// Returns the next byte that is neither blank nor a NUL of the padding of a file.
std::optional<char> skip_filling(ByteStream& stream) {
  std::optional<char> c = stream.skip_space();
  while (c == '\0') {
    stream.advance(1);
    c = stream.skip_space();
  }
  return c;
}

}  // namespace

void read_documents(ByteStream& stream, const ReadOptions& options, Chunks& chunks,
                    FileContent& content, uint32_t nesting) {
  if (stream.ahead().starts_with(kByteOrderMark)) stream.advance(kByteOrderMark.size());
  Document document{stream, options, chunks, content, nesting};
  for (uint64_t number = 0; !content.gave_up; ++number) {
    const std::optional<char> first = skip_filling(stream);
    if (!first) return;
    if (*first != '{' && *first != '[') return count(document, stats::json_trailing_garbage);
    if (number > 0) count(document, stats::json_concatenated_documents);
    read_document(document, *first);
  }
}

}  // namespace tracebraid::json
