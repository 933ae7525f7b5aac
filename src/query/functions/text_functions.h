// SQLite's functions of text and LIKE, in a form that stops in the middle of a long text.
//
// A call of SQLite's own functions cannot be stopped. Texts may have 10^9 bytes, and replace() or
// LIKE take up to the product of both lengths. The results are the same.
#pragma once

#include <sqlite3.h>

#include "base/result.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Replaces like, replace, instr, trim, ltrim, rtrim, upper, lower, hex and quote. `stop` is that of
// the running statement, and must outlive the connection.
Result<> add_text_functions(sqlite3* db, StopCheck& stop);

}  // namespace tracebraid
