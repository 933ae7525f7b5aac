#include "cli/fleet_worker.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "base/descriptor.h"
#include "base/words.h"
#include "cli/host.h"
#include "cli/no_memory.h"
#include "fleet/frames.h"
#include "fleet/group.h"
#include "fleet/worker.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace tracebraid {
namespace {

[[maybe_unused]] constexpr uint64_t kSlackBytes = uint64_t{256}
                                                  << 20;  // of the process besides the trace

// Freed memory that stays for the next group, because fresh pages of the system take a sixth of the
// CPU time of a trace of 5 MB.
constexpr int kKeptBytes = 64 << 20;

std::atomic<const char*> stage{"open"};
int output = -1;

// Returns a field of /proc/self/status, in bytes; 0 if the system does not tell.
int64_t status_bytes(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(field) || line[field.size()] != ':') continue;
    std::string_view rest = std::string_view(line).substr(field.size() + 1);
    return parse_decimal(take_word(rest)).value_or(0) * 1024;
  }
  return 0;
}

void limit_memory([[maybe_unused]] uint64_t bytes) {
  // At the limit, the allocator of a sanitizer ends the process, and operator new does not fail.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  rlimit limit = {};
  ::getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(
      static_cast<rlim_t>(status_bytes("VmData")) + bytes + kSlackBytes, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
  const Descriptor refs(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  // Begins a new peak. Without this right, the peak is that of all groups so far.
  if (refs) [[maybe_unused]]
    const ssize_t written = ::write(refs.fd(), "5", 1);
}

// Marks braids by their times of access, because those of the last change say whether a file is
// still the one that was opened.
void mark_used(const std::string& folder) {
  const std::string inside = fleet::absolute_path(folder) + "/";
  std::set<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const size_t at = line.find(inside); at != line.npos && line.ends_with(".braid"))
      paths.insert(line.substr(at));
  // Fails for files that were deleted, or belong to another user.
  const std::array<timespec, 2> times = {timespec{.tv_nsec = UTIME_NOW},
                                         timespec{.tv_nsec = UTIME_OMIT}};
  for (const std::string& path : paths) ::utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
}

// Reports a group that needs more memory than there is. Allocates nothing.
void report_group_without_memory() {
  static std::array<char, 512> text;
  const int size = std::snprintf(
      text.data() + fleet::kPrefixBytes, text.size() - fleet::kPrefixBytes,
      R"({"stage":"%s","code":"NO_MEMORY","message":"memory_limit was reached","file":null,)"
      R"("offset":null,"seconds":0,"peak_bytes":null,"memory":%lld})",
      stage.load(), static_cast<long long>(std::numeric_limits<int64_t>::max()));
  const auto prefix =
      fleet::prefix_bytes({fleet::FrameKind::Failed, static_cast<uint32_t>(size), 0});
  std::ranges::copy(prefix, text.begin());
  [[maybe_unused]] const ssize_t written =
      ::write(output, text.data(), fleet::kPrefixBytes + static_cast<size_t>(size));
}

// Ends the process when its parent has ended.
void die_with_parent() {
  std::thread([parent = ::getppid()] {
    while (::getppid() == parent) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::_exit(1);
  }).detach();
}

}  // namespace

Result<> run_fleet_worker() {
  mallopt(M_TOP_PAD, kKeptBytes);
  die_with_parent();
  output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what prints does not mix with frames
  on_no_memory(report_group_without_memory);
  fleet::WorkerHost host;
  host.engine.io = "map";
  host.engine.files = program_files();
  host.engine.files.dash_is_standard_input = false;
  host.limit_memory = limit_memory;
  host.peak_bytes = [] { return status_bytes("VmHWM"); };
  host.resident_bytes = [] { return status_bytes("VmRSS"); };
  host.mark_used = mark_used;
  host.at_stage = [](const char* next) { stage = next; };
  return fleet::run_worker(STDIN_FILENO, output, host);
}

}  // namespace tracebraid
