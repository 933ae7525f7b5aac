// ProfileFacts: data that the threads of a profile share. Strings: the strings of a thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "event/sink.h"
#include "format/gecko/tables.h"

namespace tracebraid::gecko {

// Data that the threads of a profile share.
struct ProfileFacts {
  const Input* input = nullptr;
  const Block* file = nullptr;
  int64_t offset_ns = 0;  // start of this process after that of the file
  JsonFields shared;
  std::vector<std::string> libs, categories;  // empty: without a name
};

// The file's own clock, in each chunk.
inline constexpr uint32_t kFileClock = 0;

// Strings of a thread, or shared by all threads; each is interned on first use.
class Strings {
 public:
  Strings(const JsonFields& thread, const ProfileFacts& facts, EventSink& sink);
  bool has(int64_t index) const { return index >= 0 && static_cast<size_t>(index) < texts_.size(); }
  std::string text(int64_t index) const;  // empty for an invalid index
  StringId id(int64_t index);

 private:
  EventSink& sink_;
  std::vector<json::StringToken> texts_;
  std::vector<StringId> ids_;
};

// Counts an event that is malformed or lacks a field that it needs, and so is on no row.
void count_bad_row(const Row& row, const ProfileFacts& facts, EventSink& sink);
// Counts a row whose event, if it is one, lacks its callstack or data.
void count_bad_reference(const Row& row, const ProfileFacts& facts, EventSink& sink);

// Returns ns of the file's clock; nothing if the time does not fit.
std::optional<int64_t> time_at(double ms, const ProfileFacts& facts);
// Returns time_at() of a value; nothing if the value is no number.
std::optional<int64_t> time_of(const json::Value& ms, const ProfileFacts& facts);

}  // namespace tracebraid::gecko
