// Task states: the letters for the state bits of a thread that leaves its CPU (spec proto 5.3). The
// meaning of the bits depends on the version of the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

struct KernelVersion {
  int major = 4;  // the default
  int minor = 4;
  friend constexpr auto operator<=>(KernelVersion, KernelVersion) = default;
};

// Parses utsname; returns the default for anything but a Linux release.
KernelVersion kernel_version(std::string_view sysname, std::string_view release);

// Returns the letters, such as "S", "R+", "DK"; nothing for invalid bits.
std::optional<std::string> task_state(int64_t bits, KernelVersion kernel);

}  // namespace tracebraid
