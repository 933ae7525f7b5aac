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
  if (options.io != "read" && options.io != "map")
    return fail(ErrorCode::Usage, "io: '" + options.io + "' is neither read nor map");
  return at_boundary([&]() -> Result<std::shared_ptr<const Engine>> {
    return std::shared_ptr<const Engine>(new Engine(threads, today, options));
  });
}

Engine::Engine(unsigned threads, int64_t today, const EngineOptions& options)
    : threads_(threads),
      today_(today),
      plugin_folder_(options.plugin_folder),
      files_(options.files) {
  if (options.memory_limit != 0)
    memory_limit_ = std::make_shared<MemoryLimit>(options.memory_limit);
  files_.access = options.io == "map" ? FileAccess::Map : FileAccess::Read;
}

HostFiles Engine::new_files() const {
  HostFiles files = files_;
  files.damage = std::make_shared<FileDamage>();
  files.inputs = std::make_shared<InputFiles>();
  return files;
}

std::string_view version() { return TRACEBRAID_VERSION; }

}  // namespace tracebraid
