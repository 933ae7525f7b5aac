#include "kernel/task_state.h"

#include <charconv>

namespace tracebraid {
namespace {

// Letters of the bits, lowest first.
constexpr std::string_view kOldLetters = "SDTtXZxKWPN";
constexpr std::string_view kNewLetters = "SDTtXZPI";

constexpr int64_t kUninterruptible = 0x2;
constexpr int64_t kNoLoad = 0x400;

int64_t preempted_bit(KernelVersion kernel) {
  if (kernel >= KernelVersion{4, 14}) return 0x100;
  return kernel >= KernelVersion{4, 8} ? 0x1000 : 0x800;
}

std::string letters_of(int64_t bits, std::string_view letters) {
  std::string text;
  for (size_t i = 0; i < letters.size(); ++i)
    if (bits >> i & 1) text += letters[i];
  return text;
}

// Idle has two bits: uninterruptible, and not counted as load.
std::string old_letters(int64_t bits) {
  constexpr int64_t kIdle = kUninterruptible | kNoLoad;
  if ((bits & kIdle) != kIdle) return letters_of(bits, kOldLetters);
  return letters_of(bits & ~kIdle, kOldLetters) + "I";
}

}  // namespace

KernelVersion kernel_version(std::string_view sysname, std::string_view release) {
  if (!sysname.empty() && sysname != "Linux") return {};
  KernelVersion version;
  const char* end = release.data() + release.size();
  const auto major = std::from_chars(release.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return {};
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc()) return {};
  return version;
}

std::optional<std::string> task_state(int64_t bits, KernelVersion kernel) {
  const bool is_new = kernel >= KernelVersion{4, 14};
  if (bits < 0 || (is_new && bits > 0x1FF)) return std::nullopt;
  const bool preempted = (bits & preempted_bit(kernel)) != 0;
  std::string text = is_new ? letters_of(bits, kNewLetters) : old_letters(bits);
  if (!text.empty()) return text;
  return preempted ? "R+" : "R";
}

}  // namespace tracebraid
