#include "container/trace_input.h"

#include <utility>

namespace tracebraid {

std::vector<TraceInput> path_inputs(std::span<const std::string> paths) {
  std::vector<TraceInput> inputs;
  inputs.reserve(paths.size());
  for (const std::string& path : paths) inputs.push_back({.name = path});
  return inputs;
}

TraceInput buffer_input(std::string name, std::string_view bytes, std::function<void()> release) {
  struct Owner {
    explicit Owner(std::function<void()> by) : release(std::move(by)) {}
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() {
      if (release) release();
    }
    std::function<void()> release;
  };
  std::shared_ptr<const void> owner;
  if (release) owner = std::make_shared<Owner>(std::move(release));
  return {.name = std::move(name), .bytes = Bytes{bytes, std::move(owner)}};
}

TraceInput stream_input(std::string name, Decoder stream) {
  return {.name = std::move(name), .stream = std::move(stream)};
}

}  // namespace tracebraid
