// Names of system calls, by architecture (spec proto 5.5, "Syscalls").
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class SyscallArch : uint8_t { Unknown, Arm64, Arm32, X86_64, X86 };
inline constexpr int64_t kSyscalls = 550;  // system call numbers are smaller

// `machine` is the field of utsname.
SyscallArch syscall_arch(std::string_view machine);
// "sys_read"; empty if the table has no name.
std::string_view syscall_name(SyscallArch arch, uint32_t number);

}  // namespace tracebraid
