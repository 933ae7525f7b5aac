#include "cli/no_memory.h"

#include <fmt/format.h>
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

namespace {

bool warns_of_limit = false;
void (*report_at_end)() = report_no_memory;

uint64_t in_mebibytes(uint64_t bytes) { return (bytes + (1 << 20) - 1) >> 20; }

}  // namespace

void on_no_memory(void (*report)()) { report_at_end = report; }

void warn_of_exceeded_limit() { warns_of_limit = true; }

void report_exceeded_limit() {
  const std::optional<ExceededLimit> exceeded = exceeded_limit();
  if (!exceeded || !warns_of_limit) return;
  print_warning(
      fmt::format("--memory-limit: {}M could not be held; the command used {}M, because small "
                  "allocations and memory of libraries cannot be put into files",
                  in_mebibytes(exceeded->limit), in_mebibytes(exceeded->used)));
}

void end_without_memory() {
  static std::atomic<bool> is_ending = false;
  thread_local bool ends_here = false;
  if (ends_here) throw std::bad_alloc();
  if (is_ending.exchange(true))
    for (;;) ::pause();  // another thread is ending the program
  ends_here = true;
  report_at_end();
  unfinished_files().remove_all();
  ::_exit(kExitInput);
}

}  // namespace tracebraid
