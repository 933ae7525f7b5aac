// JsonScan: reads a JSON text from front to back, without a tree. For documents that consist of
// long arrays; small ones are easier to read as a JsonDocument.
//
//   if (scan.enter('{'))
//     while (scan.next_member(key))
//       if (key == "list" && scan.enter('['))
//         while (scan.next_item()) add(scan.take());
//       else ...take()
//
// Leave each container by calling its next_...() until it returns false, and take or enter each
// value.
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
  // If `input` is given, releases the pages of items that were left.
  explicit JsonScan(std::string_view text, const Input* input = nullptr)
      : cursor_{text.data(), text.data() + text.size()}, done_(text.data()), input_(input) {}

  // Enters the object ('{') or array ('[') that comes next. Any other value is taken; then returns
  // false.
  bool enter(char open);
  // Returns whether there is another member. `key` is valid until the next call.
  bool next_member(std::string_view& key);
  bool next_item();
  // Takes the next value whole: a container is skipped, and `raw` is its text.
  const json::Value& take();

  // Returns whether the text is truncated; then nothing more can be read.
  bool is_cut() const { return problem_ == json::Parse::Cut; }
  bool is_bad() const { return problem_ == json::Parse::Bad; }
  const char* position() const { return cursor_.at; }

 private:
  bool next(char close);
  void stop(json::Parse problem) { problem_ = problem; }
  void release();

  json::Cursor cursor_;
  const char* done_;  // pages up to here were released
  const Input* input_;
  json::Value value_;
  json::Parse problem_ = json::Parse::Ok;
  bool is_first_ = false;  // whether nothing was read of the container entered last
  std::string key_;
};

// The members of an object, each whole; of equal keys the first applies. Empty if the value is no
// object.
class JsonFields {
 public:
  JsonFields() = default;
  explicit JsonFields(const json::Value& object) : JsonFields(object.raw) {}
  explicit JsonFields(std::string_view text);

  const json::Value& operator[](std::string_view key) const;  // Absent for an unknown key
  const std::vector<std::pair<std::string, json::Value>>& all() const { return fields_; }
  // Returns whether the object itself is truncated.
  bool is_cut() const { return is_cut_; }
  bool is_bad() const { return is_bad_; }
  const char* end() const { return end_; }  // where reading stopped

 private:
  std::vector<std::pair<std::string, json::Value>> fields_;
  bool is_cut_ = false, is_bad_ = false;
  const char* end_ = nullptr;
};

// Return nothing if the value is missing or of another type.
std::optional<double> scanned_number(const json::Value& value);
std::optional<int64_t> scanned_integer(const json::Value& value);  // also for 3.0
std::string scanned_text(const json::Value& value);                // empty if it is no text

// The members of the file. An Error if the file is no object. A truncated file has the members
// before the cut, and `is_cut()`.
struct JsonFile {
  Block block;
  JsonFields root;
};
Result<JsonFile> open_json(Input& input);

// Counts the data at `at` in the file's text, with its offset and some of its text.
void count_json(EventSink& sink, StatId stat, const Block& file, const char* at);

}  // namespace tracebraid
