// JsonScan: a JSON text read from front to back, without a tree. For documents that are mostly
// long arrays; small ones are easier to read as a JsonDocument.
//
//   if (scan.enter('{'))
//     while (scan.next_member(key))
//       if (key == "list" && scan.enter('['))
//         while (scan.next_item()) add(scan.take());
//       else ...take()
//
// What has been entered must be left by its next_...() saying no, and each value must be taken or
// entered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "container/input.h"
#include "event/sink.h"
#include "json/value.h"

namespace tracebraid {

class JsonScan {
 public:
  // If `input` is given, it is told which parts of the text are done with as items are left.
  explicit JsonScan(std::string_view text, const Input* input = nullptr)
      : cursor_{text.data(), text.data() + text.size()}, done_(text.data()), input_(input) {}

  // Into the object ('{') or array ('[') that comes next. If it is anything else it is taken and
  // this is false.
  bool enter(char open);
  // Whether there is one more. `key` is good until the next call.
  bool next_member(std::string_view& key);
  bool next_item();
  // The value that comes next, whole: a container is got past, and `raw` is its text.
  const json::Value& take();

  // The text ended too early, or is no JSON: nothing more comes.
  bool is_cut() const { return problem_ == json::Parse::Cut; }
  bool is_bad() const { return problem_ == json::Parse::Bad; }
  const char* position() const { return cursor_.at; }

 private:
  bool next(char close);
  void stop(json::Parse problem) { problem_ = problem; }
  void release();

  json::Cursor cursor_;
  const char* done_;  // up to here `input_` has been told
  const Input* input_;
  json::Value value_;
  json::Parse problem_ = json::Parse::Ok;
  bool is_first_ = false;  // nothing was read yet of what was entered last
  std::string key_;
};

// The members of an object, each whole; of equal keys the first counts. None if it is no object.
class JsonFields {
 public:
  JsonFields() = default;
  explicit JsonFields(const json::Value& object) : JsonFields(object.raw) {}
  explicit JsonFields(std::string_view text);

  const json::Value& operator[](std::string_view key) const;  // Absent if there is none
  const std::vector<std::pair<std::string, json::Value>>& all() const { return fields_; }
  // As of JsonScan, of the object itself.
  bool is_cut() const { return is_cut_; }
  bool is_bad() const { return is_bad_; }
  const char* end() const { return end_; }  // where reading stopped

 private:
  std::vector<std::pair<std::string, json::Value>> fields_;
  bool is_cut_ = false, is_bad_ = false;
  const char* end_ = nullptr;
};

// Nothing if the value is missing or of another type.
std::optional<double> scanned_number(const json::Value& value);
std::optional<int64_t> scanned_integer(const json::Value& value);  // also 3.0
std::string scanned_text(const json::Value& value);                // empty if it is no text

// The file's members. An Error if it is no object; where it is cut off, what is there counts, and
// `is_cut()`.
struct JsonFile {
  Block block;
  JsonFields root;
};
Result<JsonFile> open_json(Input& input);

// Counts what begins at `at` in the file's text, with its place and some of it.
void count_json(EventSink& sink, StatId stat, const Block& file, const char* at);

}  // namespace tracebraid
