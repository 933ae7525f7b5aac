// Numbers of processes and threads (spec json 3.3).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "event/names.h"
#include "format/common/json_scan.h"

namespace tracebraid::gecko {

// Assigns numbers to pids and tids that are texts (spec json 3.3).
class Ids {
 public:
  // Returns nothing if the value is neither a number nor a text.
  std::optional<int64_t> number(const json::Value& value);
  // Returns a number of its own for an owner without an id.
  int64_t unnamed() { return next_--; }
  // Returns the text for the last number(); empty if the value was a number.
  std::string take_text() { return std::exchange(text_, {}); }

 private:
  static constexpr int64_t kFirst = -1'000'000'001;
  int64_t next_ = kFirst;
  std::string text_;
  std::map<std::string, int64_t, std::less<>> numbers_;
};

struct Owner {
  int64_t pid = kNoId, tid = 0;
  std::string pid_text, tid_text;  // set if the ids are no numbers
};
Owner owner_of(const JsonFields& thread, Ids& ids);

}  // namespace tracebraid::gecko
