#include "query/compile/guard.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "base/words.h"

namespace tracebraid {
namespace {

// Pragmas that only return information, or only affect how this connection reads SQL.
constexpr std::string_view kPragmas[] = {
    "case_sensitive_like", "collation_list", "compile_options",    "database_list", "encoding",
    "foreign_key_list",    "function_list",  "index_info",         "index_list",    "index_xinfo",
    "module_list",         "pragma_list",    "recursive_triggers", "table_info",    "table_list",
    "table_xinfo",         "user_version"};

std::string_view text_of(const char* text) { return text == nullptr ? "" : text; }

int refuse(Guard& guard, std::string reason) {
  guard.reason = std::move(reason);
  return SQLITE_DENY;
}

int check(Guard& guard, int action, const char* first, const char* second) {
  if (guard.is_off) return SQLITE_OK;
  const std::string name = in_lower_case(text_of(first));
  switch (action) {
    case SQLITE_ATTACH:
      if (name == ":memory:") return SQLITE_OK;
      return refuse(guard, "only ':memory:' can be attached: queries do not touch files");
    case SQLITE_PRAGMA:
      guard.has_settings |= second != nullptr && name == "case_sensitive_like";
      if (std::find(std::begin(kPragmas), std::end(kPragmas), name) != std::end(kPragmas))
        return SQLITE_OK;
      return refuse(guard, "PRAGMA " + name + " is not allowed here");
    case SQLITE_FUNCTION:
      if (in_lower_case(text_of(second)) != "load_extension") return SQLITE_OK;
      return refuse(guard, "load_extension() is not allowed here");
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_VTABLE:
    case SQLITE_ALTER_TABLE: {
      const std::string target =
          action == SQLITE_ALTER_TABLE ? in_lower_case(text_of(second)) : name;
      if (!guard.ours.contains(target)) return SQLITE_OK;
      return refuse(guard, target + " belongs to the trace and is read-only");
    }
    default:
      return SQLITE_OK;
  }
}

int authorize(void* data, int action, const char* first, const char* second, const char*,
              const char*) {
  Guard& guard = *static_cast<Guard*>(data);
  try {
    return check(guard, action, first, second);
  } catch (const std::bad_alloc&) {
    guard.reason = kNoMemoryReason;  // short enough to need no allocation
    return SQLITE_DENY;
  }
}

}  // namespace

void set_guard(sqlite3* db, Guard& guard) { sqlite3_set_authorizer(db, authorize, &guard); }

}  // namespace tracebraid
