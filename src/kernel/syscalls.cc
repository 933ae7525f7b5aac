#include "kernel/syscalls.h"

#include <array>

namespace tracebraid {
namespace {

using Names = std::array<std::string_view, kSyscalls>;

constexpr std::array<Names, 4> tables() {
  std::array<Names, 4> all{};
#define TB_SYSCALL(arch, number, name) \
  all[static_cast<size_t>(SyscallArch::arch) - 1][number] = name;
#include "kernel/generated/syscalls.inc"
#undef TB_SYSCALL
  return all;
}
constexpr std::array<Names, 4> kTables = tables();

}  // namespace

SyscallArch syscall_arch(std::string_view machine) {
  if (machine == "aarch64") return SyscallArch::Arm64;
  if (machine == "armv8l" || machine == "armv7l") return SyscallArch::Arm32;
  if (machine == "x86_64") return SyscallArch::X86_64;
  if (machine == "i686") return SyscallArch::X86;
  return SyscallArch::Unknown;
}

std::string_view syscall_name(SyscallArch arch, uint32_t number) {
  if (arch == SyscallArch::Unknown || number >= kSyscalls) return {};
  return kTables[static_cast<size_t>(arch) - 1][number];
}

}  // namespace tracebraid
