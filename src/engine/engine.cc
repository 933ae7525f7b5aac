#include "engine/engine.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/boundary.h"

namespace tracebraid {
namespace {

int64_t days_of_system_clock() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())
      .time_since_epoch()
      .count();
}

}  // namespace

Result<std::shared_ptr<const Engine>> Engine::create(const EngineOptions& options) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const int64_t today = options.today ? *options.today : days_of_system_clock();
  return at_boundary([&]() -> Result<std::shared_ptr<const Engine>> {
    return std::shared_ptr<const Engine>(new Engine(threads, today, options.plugin_folder));
  });
}

std::string_view version() { return TRACEBRAID_VERSION; }

}  // namespace tracebraid
