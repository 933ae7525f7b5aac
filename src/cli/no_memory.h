// What the program does when there is no memory.
#pragma once

namespace tracebraid {

// Says so, with what to do.
void report_no_memory();
// The same, then ends the program with kExitInput and removes what it had not finished. Throws
// std::bad_alloc in the thread that is about to do that.
[[noreturn]] void end_without_memory();

}  // namespace tracebraid
