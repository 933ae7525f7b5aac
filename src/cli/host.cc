#include "cli/host.h"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "base/guard_mapped_files.h"
#include "cli/memory_budget.h"

namespace tracebraid {

HostFiles program_files() {
  const char* const named = std::getenv("TMPDIR");
  return {.access = FileAccess::Map,
          .temporary_directory = named != nullptr && *named != '\0' ? named : "/tmp",
          .dash_is_standard_input = true,
          .mapping_guard = &mapping_guard(),
          .unfinished_files = &unfinished_files(),
          .allocator = budget_allocator()};
}

std::string state_folder() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/tracebraid";
  if (home == nullptr || *home == '\0') return {};
  return std::string(home) + "/.local/state/tracebraid";
}

namespace {

std::vector<std::weak_ptr<const Trace>>& watched() {
  static auto* const traces = new std::vector<std::weak_ptr<const Trace>>;
  return *traces;
}

}  // namespace

void watch_until_end(std::shared_ptr<const Trace> trace) { watched().push_back(trace); }

std::optional<Error> damage_at_end() {
  for (const std::weak_ptr<const Trace>& each : watched())
    if (const std::shared_ptr<const Trace> trace = each.lock())
      if (std::optional<Error> damage = trace->damage()) return damage;
  return std::nullopt;
}

UnfinishedFiles& unfinished_files() {
  // Never destroyed, because the program may end while other threads still write. Static, because
  // it is needed when memory runs out.
  alignas(UnfinishedFiles) static std::byte place[sizeof(UnfinishedFiles)];
  static auto* const files = new (place) UnfinishedFiles;
  return *files;
}

}  // namespace tracebraid
