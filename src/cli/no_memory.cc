#include "cli/no_memory.h"

#include <unistd.h>

#include <atomic>
#include <new>
#include <optional>
#include <string_view>

#include "cli/command.h"
#include "cli/host.h"
#include "cli/memory_budget.h"
#include "cli/message.h"

namespace tracebraid {

// Falls back to a constant text if the message cannot be allocated.
void report_no_memory() {
  try {
    if (const std::optional<Error> failure = budget_failure())
      print_error(failure->message + ", or raise --memory-limit");
    else
      print_error("out of memory; give fewer or smaller traces, or see --memory-limit");
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kMessage = "tracebraid: error: out of memory\n";
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  }
}

void end_without_memory() {
  static std::atomic<bool> is_ending = false;
  thread_local bool ends_here = false;
  if (ends_here) throw std::bad_alloc();
  if (is_ending.exchange(true))
    for (;;) ::pause();  // another thread is ending the program
  ends_here = true;
  report_no_memory();
  unfinished_files().remove_all();
  ::_exit(kExitInput);
}

}  // namespace tracebraid
