// The reaction of the program to a lack of memory.
#pragma once

namespace tracebraid {

// Prints an error that says what to do.
void report_no_memory();
// Makes report_exceeded_limit() print a warning.
void warn_of_exceeded_limit();
// Prints a warning, unless it is unwanted, if the command used more memory than --memory-limit.
void report_exceeded_limit();
// Prints the error, removes incomplete files and ends the program with kExitInput. Throws
// std::bad_alloc if this thread is doing that already.
[[noreturn]] void end_without_memory();

// Replaces the message of end_without_memory(). `report` must not allocate.
void on_no_memory(void (*report)());

}  // namespace tracebraid
