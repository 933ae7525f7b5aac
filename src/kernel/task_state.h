// Task states: the letters for the state bits of a thread that leaves its CPU
// (spec proto 5.3). What the bits mean depends on the kernel's version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

struct KernelVersion {
  int major = 4;  // when nothing is known
  int minor = 4;
  friend constexpr auto operator<=>(KernelVersion, KernelVersion) = default;
};

// From utsname; anything but a Linux release gives the default.
KernelVersion kernel_version(std::string_view sysname, std::string_view release);

// "S", "R+", "DK"; nothing if the bits make no sense.
std::optional<std::string> task_state(int64_t bits, KernelVersion kernel);

}  // namespace tracebraid
