// Metatrace: the statements that RPC ran while it was enabled, as a protobuf trace.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid::rpc {

// Nanoseconds of CLOCK_BOOTTIME.
int64_t boot_time_ns();

// Any thread may use it.
class Metatrace {
 public:
  void enable();
  // Adds a statement that began at this time and has just ended. Has no effect while disabled.
  // Beyond 16 MB of texts, statements are left out.
  void add(std::string_view statement, int64_t begin_ns);
  // Disables it and returns the trace; nothing if it was not enabled.
  std::optional<std::string> finish();

 private:
  struct Slice {
    int64_t begin_ns, end_ns;
    std::string name;
  };
  std::mutex mutex_;  // guards the members below
  bool is_enabled_ = false;
  std::vector<Slice> slices_;
  size_t bytes_ = 0;
};

}  // namespace tracebraid::rpc
