// What the threads of a profile have in common, and the strings of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "event/sink.h"
#include "format/gecko/tables.h"

namespace tracebraid::gecko {

// What the threads of a profile have in common.
struct ProfileFacts {
  const Input* input = nullptr;
  const Block* file = nullptr;
  int64_t offset_ns = 0;  // start of this process after that of the file
  JsonFields shared;
  std::vector<std::string> libs, categories;  // empty: without a name
};

// The file's own clock, of each chunk.
inline constexpr uint32_t kFileClock = 0;

// Strings of a thread, or those that all threads share; each is interned when it is first used.
class Strings {
 public:
  Strings(const JsonFields& thread, const ProfileFacts& facts, EventSink& sink);
  bool has(int64_t index) const { return index >= 0 && static_cast<size_t>(index) < texts_.size(); }
  std::string text(int64_t index) const;  // empty if there is none
  StringId id(int64_t index);

 private:
  EventSink& sink_;
  std::vector<json::StringToken> texts_;
  std::vector<StringId> ids_;
};

// Counts a row that is malformed or lacks a field that it needs.
void count_bad_row(const Row& row, const ProfileFacts& facts, EventSink& sink);

// ns of the file's clock; nothing if the time does not fit.
std::optional<int64_t> time_at(double ms, const ProfileFacts& facts);
// The same; nothing if there is no number.
std::optional<int64_t> time_of(const json::Value& ms, const ProfileFacts& facts);

}  // namespace tracebraid::gecko
