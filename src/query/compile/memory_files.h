// MemoryFiles: temporary files of SQLite in memory.
#pragma once

namespace tracebraid {

// Returns the name of a VFS for sqlite3_open_v2(). Registers it in the first call, on any thread;
// it is not the default VFS. Its files have no name and are released when they are closed. Returns
// null if SQLite refuses the VFS.
const char* memory_vfs();

}  // namespace tracebraid
