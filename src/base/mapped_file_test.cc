#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tracebraid {
namespace {

auto handler_of_sigbus() {
  struct sigaction now{};
  sigaction(SIGBUS, nullptr, &now);
  return now.sa_handler;
}
const auto kHandlerAtStart = handler_of_sigbus();  // a sanitizer may have one

class ChangingFile : public testing::Test {
 protected:
  static constexpr size_t kSize = size_t{1} << 20;

  void SetUp() override {
    std::ofstream(path_) << std::string(kSize, 'x');
    // A write within the same tick of the kernel's clock does not change the time of the file.
    std::filesystem::last_write_time(
        path_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    Result<MappedFile> mapped = MappedFile::open(path_, files_);
    ASSERT_TRUE(mapped) << mapped.error().message;
    mapped_ = *std::move(mapped);
    ASSERT_EQ(damage(), "none");
  }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string damage() const {
    const std::optional<Error> error = files_.damage->find();
    return error ? error->message : "none";
  }

  const std::string path_ = testing::TempDir() + "tracebraid_changes_" + std::to_string(getpid());
  const HostFiles files_;
  MappedFile mapped_;
};

TEST_F(ChangingFile, ThatShrinksBehindWhatIsReadIsReported) {
  std::filesystem::resize_file(path_, kSize - 1);
  EXPECT_TRUE(damage().starts_with(path_ + ": the file shrank from 1048576 to 1048575 bytes"));
  EXPECT_FALSE(HostFiles().damage->find()) << "another opening has not read this file";
  mapped_ = MappedFile();
  EXPECT_EQ(damage(), "none");
}

TEST_F(ChangingFile, ThatIsWrittenToIsReported) {
  std::fstream(path_) << 'y';
  EXPECT_NE(damage().find("written to"), std::string::npos);
  EXPECT_TRUE(files_.damage->grown_files().empty());
}

TEST_F(ChangingFile, ThatGrowsIsNotDamaged) {
  std::ofstream(path_, std::ios::app) << 'y';
  EXPECT_EQ(damage(), "none");
  EXPECT_EQ(files_.damage->grown_files(), std::vector<std::string>{path_});
}

TEST_F(ChangingFile, ThatIsReplacedIsAsItWas) {
  std::filesystem::remove(path_);
  EXPECT_EQ(damage(), "none");
  std::ofstream(path_) << "another";
  EXPECT_EQ(damage(), "none");
  EXPECT_EQ(mapped_.bytes()[kSize - 1], 'x');
}

TEST_F(ChangingFile, InstallsNoHandler) { EXPECT_EQ(handler_of_sigbus(), kHandlerAtStart); }

TEST(MappedFile, DroppedBytesAreStillThere) {
  const std::string path = testing::TempDir() + "tracebraid_drops_" + std::to_string(getpid());
  constexpr size_t kSize = size_t{5} << 20;
  std::ofstream(path) << std::string(kSize, 'x');
  Result<MappedFile> mapped = MappedFile::open(path, {});
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
