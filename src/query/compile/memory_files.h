// Temporary files of SQLite that lie in memory.
#pragma once

namespace tracebraid {

// The name of a VFS of SQLite for sqlite3_open_v2(), registered at the first call, from any thread;
// no default for others. Its files have no name and end when they are closed. Null: SQLite refuses
// it.
const char* memory_vfs();

}  // namespace tracebraid
