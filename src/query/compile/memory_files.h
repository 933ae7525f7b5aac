// MemoryFiles: temporary files of SQLite in memory.
#pragma once

namespace tracebraid {

// Returns the name of a VFS for sqlite3_open_v2(), unique to this copy of the library. It is
// registered by the first call, on any thread, and never as the default. Its files have no name and
// end when they are closed. Null: SQLite refuses it.
const char* memory_vfs();

}  // namespace tracebraid
