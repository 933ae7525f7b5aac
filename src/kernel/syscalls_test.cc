#include "kernel/syscalls.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Syscalls, DependOnTheArchitecture) {
  EXPECT_EQ(syscall_name(syscall_arch("aarch64"), 63), "sys_read");
  EXPECT_EQ(syscall_name(syscall_arch("x86_64"), 0), "sys_read");
  EXPECT_EQ(syscall_name(syscall_arch("armv7l"), 3), "sys_read");
  EXPECT_EQ(syscall_name(syscall_arch("i686"), 3), "sys_read");
  EXPECT_EQ(syscall_name(syscall_arch("mips"), 3), "");
  EXPECT_EQ(syscall_name(SyscallArch::X86_64, 549), "");
  EXPECT_EQ(syscall_name(SyscallArch::X86_64, 550), "");
}

}  // namespace
}  // namespace tracebraid
