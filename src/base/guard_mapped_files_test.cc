#include "base/guard_mapped_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace tracebraid {
namespace {

class GuardedFile : public testing::Test {
 protected:
  static constexpr size_t kSize = size_t{1} << 20;

  void SetUp() override {
    guard_mapped_files(true);
    std::ofstream(path_) << std::string(kSize, 'x');
  }
  void TearDown() override {
    guard_mapped_files(false);
    std::remove(path_.c_str());
  }
  static std::string damage(const HostFiles& files) {
    const std::optional<Error> error = files.damage->find();
    return error ? error->message : "none";
  }

  const std::string path_ = testing::TempDir() + "tracebraid_guarded_" + std::to_string(getpid());
  const HostFiles files_{.mapping_guard = &mapping_guard()};
};

TEST_F(GuardedFile, ReadsAsZerosBehindItsNewEnd) {
  Result<MappedFile> mapped = MappedFile::open(path_, files_);
  ASSERT_TRUE(mapped) << mapped.error().message;
  const std::string_view bytes = mapped->bytes();
  std::filesystem::resize_file(path_, kSize / 2);
  EXPECT_EQ(bytes[0], 'x');
  EXPECT_EQ(bytes[kSize / 2 - 1], 'x');
  EXPECT_EQ(bytes[kSize - 1], '\0');
  EXPECT_EQ(bytes[kSize / 2 + 1], '\0');
  const std::string said = damage(files_);
  EXPECT_TRUE(said.starts_with(path_ + ": the file shrank from 1048576 to 524288 bytes")) << said;
  mapped = MappedFile();
  EXPECT_EQ(damage(files_), said) << "what was read is doubtful";
}

TEST_F(GuardedFile, ConcernsOnlyTheOpeningThatReadIt) {
  const HostFiles other{.mapping_guard = &mapping_guard()};
  const std::string fine = path_ + "_fine";
  std::ofstream(fine) << std::string(kSize, 'y');
  const Result<MappedFile> damaged = MappedFile::open(path_, files_);
  const Result<MappedFile> whole = MappedFile::open(fine, other);
  ASSERT_TRUE(damaged && whole);
  std::filesystem::resize_file(path_, 0);
  EXPECT_EQ(damaged->bytes()[kSize - 1], '\0');
  EXPECT_EQ(whole->bytes()[kSize - 1], 'y');
  EXPECT_NE(damage(files_), "none");
  EXPECT_EQ(damage(other), "none");
  std::remove(fine.c_str());
}

TEST_F(GuardedFile, KnowsMoreMappingsThanOneChunkHolds) {
  std::vector<MappedFile> all;
  for (int i = 0; i < 1000; ++i) all.push_back(MappedFile::open(path_, files_).value());
  std::filesystem::resize_file(path_, 0);
  for (const MappedFile& each : all) EXPECT_EQ(each.bytes()[0], '\0');
}

using Handler = void (*)(int, siginfo_t*, void*);

Handler bus_error_handler() {
  struct sigaction now{};
  sigaction(SIGBUS, nullptr, &now);
  return now.sa_sigaction;
}

int earlier_calls = 0;
void* page_of_earlier = nullptr;

// Makes the page readable, so that the access succeeds.
void earlier_handler(int, siginfo_t*, void*) {
  ++earlier_calls;
  ::mmap(page_of_earlier, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

TEST(Guard, IsNotInstalledByMappingAndChainsToTheEarlierHandler) {
  const std::string path = testing::TempDir() + "tracebraid_guard_" + std::to_string(getpid());
  std::ofstream(path) << std::string(8192, 'x');
  const Handler before = bus_error_handler();
  {
    ASSERT_TRUE(MappedFile::open(path, {.mapping_guard = &mapping_guard()}));
  }
  EXPECT_EQ(bus_error_handler(), before);

  struct sigaction earlier{}, saved{};
  earlier.sa_sigaction = earlier_handler;
  earlier.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &earlier, &saved);
  guard_mapped_files(true);
  EXPECT_NE(bus_error_handler(), &earlier_handler);
  // A mapping made by the host, of an empty file.
  const int fd = ::open(path.c_str(), O_RDWR | O_TRUNC | O_CLOEXEC);
  page_of_earlier = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  ASSERT_NE(page_of_earlier, MAP_FAILED);
  EXPECT_EQ(*static_cast<volatile char*>(page_of_earlier), '\0');
  EXPECT_EQ(earlier_calls, 1);
  guard_mapped_files(false);
  EXPECT_EQ(bus_error_handler(), &earlier_handler);
  sigaction(SIGBUS, &saved, nullptr);
  ::munmap(page_of_earlier, 4096);
  ::close(fd);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tracebraid
