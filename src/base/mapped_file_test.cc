#include "base/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/damaged_file.h"

namespace tracebraid {
namespace {

class ChangingFile : public testing::Test {
 protected:
  static constexpr size_t kSize = size_t{1} << 20;

  void SetUp() override {
    guard_mapped_files(true);
    std::ofstream(path_) << std::string(kSize, 'x');
    // What is written in the same tick of the clock of the kernel cannot be told.
    std::filesystem::last_write_time(
        path_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    Result<MappedFile> mapped = MappedFile::open(path_);
    ASSERT_TRUE(mapped) << mapped.error().message;
    mapped_ = *std::move(mapped);
    ASSERT_FALSE(damaged_file());
  }
  void TearDown() override {
    guard_mapped_files(false);
    std::remove(path_.c_str());
  }
  static std::string damage() {
    const std::optional<Error> error = damaged_file();
    return error ? error->message : "none";
  }

  const std::string path_ = testing::TempDir() + "tracebraid_changes_" + std::to_string(getpid());
  MappedFile mapped_;
};

TEST_F(ChangingFile, ThatShrinksReadsAsZeros) {
  const std::string_view bytes = mapped_.bytes();
  std::filesystem::resize_file(path_, kSize / 2);
  EXPECT_EQ(bytes[0], 'x');
  EXPECT_EQ(bytes[kSize / 2 - 1], 'x');
  EXPECT_EQ(bytes[kSize - 1], '\0');
  EXPECT_EQ(bytes[kSize / 2 + 1], '\0');
  const std::string said = damage();
  EXPECT_TRUE(said.starts_with(path_ + ": the file shrank from 1048576 to 524288 bytes")) << said;
  EXPECT_EQ(damage(), said) << "as long as it is mapped";

  mapped_ = MappedFile();
  EXPECT_EQ(damage(), said) << "once more, as it was not read whole";
  EXPECT_EQ(damage(), "none");
}

TEST_F(ChangingFile, ThatShrinksBehindWhatIsReadIsTold) {
  std::filesystem::resize_file(path_, kSize - 1);
  EXPECT_NE(damage().find("shrank"), std::string::npos);
  mapped_ = MappedFile();
  EXPECT_EQ(damage(), "none");
}

TEST_F(ChangingFile, ThatIsWrittenToIsTold) {
  std::fstream(path_) << 'y';
  EXPECT_NE(damage().find("written to"), std::string::npos);
  EXPECT_TRUE(grown_files().empty());
}

TEST_F(ChangingFile, ThatGrowsIsNotDamaged) {
  std::ofstream(path_, std::ios::app) << 'y';
  EXPECT_EQ(damage(), "none");
  EXPECT_EQ(grown_files(), std::vector<std::string>{path_});
}

TEST_F(ChangingFile, ThatIsReplacedIsAsItWas) {
  std::filesystem::remove(path_);
  EXPECT_EQ(damage(), "none");
  std::ofstream(path_) << "another";
  EXPECT_EQ(damage(), "none");
  EXPECT_EQ(mapped_.bytes()[kSize - 1], 'x');
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
    ASSERT_TRUE(MappedFile::open(path));
  }
  EXPECT_EQ(bus_error_handler(), before);

  struct sigaction earlier{}, saved{};
  earlier.sa_sigaction = earlier_handler;
  earlier.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &earlier, &saved);
  guard_mapped_files(true);
  EXPECT_NE(bus_error_handler(), &earlier_handler);
  // A mapping of the host, of a file that has no bytes.
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

TEST(MappedFile, DroppedBytesAreStillThere) {
  const std::string path = testing::TempDir() + "tracebraid_drops_" + std::to_string(getpid());
  constexpr size_t kSize = size_t{5} << 20;
  std::ofstream(path) << std::string(kSize, 'x');
  Result<MappedFile> mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  const std::string_view bytes = mapped->bytes();
  const std::string elsewhere(kSize, 'y');
  mapped->drop(bytes.substr(0, 100));
  mapped->drop(bytes.substr(kSize / 2 + 1, kSize / 4));
  mapped->drop(bytes.substr(kSize - 10));
  mapped->drop(bytes.substr(kSize));
  mapped->drop(std::string_view(elsewhere).substr(kSize / 2));
  EXPECT_EQ(bytes.find_first_not_of('x'), std::string_view::npos);
  EXPECT_EQ(elsewhere.find_first_not_of('y'), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tracebraid
