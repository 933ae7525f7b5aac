// Guard: restricts statements to reading, and to objects of the connection.
#pragma once

#include <sqlite3.h>

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Allows everything that stays in memory and does not change our own tables and views. Refuses
// files (ATTACH of anything but ':memory:', VACUUM INTO), extensions and settings. `reason`
// describes what the last refused statement tried.
struct Guard {
  std::set<std::string, std::less<>> ours;  // names of our own tables and views
  std::string reason;
  bool is_off = false;        // while the connection runs a statement of its own
  bool has_settings = false;  // whether a PRAGMA changed the meaning of SQL
};

// The reason if a statement could not be checked for lack of memory.
inline constexpr std::string_view kNoMemoryReason = "out of memory";

// Returns the error of the refused statement: Sql, or NoMemory. Requires: `reason` is not empty.
inline Error refusal(const Guard& guard) {
  return {guard.reason == kNoMemoryReason ? ErrorCode::NoMemory : ErrorCode::Sql, guard.reason};
}

// `guard` must outlive the connection.
void set_guard(sqlite3* db, Guard& guard);

}  // namespace tracebraid
