// The read-only guard: what a statement may do to the database and beyond it.
#pragma once

#include <sqlite3.h>

#include <set>
#include <string>

namespace tracebraid {

// Everything is allowed that stays in memory and spares our own tables and views.
// Not: files (ATTACH of anything but ':memory:', VACUUM INTO), extensions,
// settings. `reason` says what the last refused statement tried.
struct Guard {
  std::set<std::string, std::less<>> ours;  // names of tables and views that stay
  std::string reason;
  bool is_off = false;        // while the connection runs a statement of its own
  bool has_settings = false;  // a PRAGMA changed what SQL means
};

// `guard` must outlive the connection.
void set_guard(sqlite3* db, Guard& guard);

}  // namespace tracebraid
