#include "base/read_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tracebraid {
namespace {

class FileThatIsRead : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(path_) << "0123456789";
    const Descriptor descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    file_ = ReadFile::open(descriptor.fd(), path_, false, files_).value();
  }
  void TearDown() override { std::remove(path_.c_str()); }

  std::string read(uint64_t at, size_t size) const {
    std::string bytes(size, '?');
    const Result<> read = ReadFile::Reader(file_).read(at, bytes.data(), size);
    return read ? bytes : read.error().message;
  }

  const std::string path_ = testing::TempDir() + "tracebraid_read_" + std::to_string(getpid());
  const HostFiles files_;
  std::shared_ptr<const ReadFile> file_;
};

TEST_F(FileThatIsRead, GivesAnyBytes) {
  EXPECT_EQ(file_->size(), 10U);
  EXPECT_EQ(read(0, 10), "0123456789");
  EXPECT_EQ(read(7, 3), "789");
  EXPECT_EQ(read(10, 0), "");
  EXPECT_FALSE(files_.damage->find());
}

TEST_F(FileThatIsRead, ThatShrinksIsAnErrorAndDamage) {
  std::filesystem::resize_file(path_, 4);
  EXPECT_EQ(read(0, 4), "0123");
  EXPECT_TRUE(read(2, 5).starts_with(path_ + ": the file shrank from 10 to 4 bytes"));
  ASSERT_TRUE(files_.damage->find());
  EXPECT_EQ(files_.damage->find()->code, ErrorCode::Io);
}

TEST_F(FileThatIsRead, ThatIsReplacedIsAnError) {
  const std::string other = path_ + "_other";
  std::ofstream(other) << "abcdefghij";
  std::filesystem::rename(other, path_);
  EXPECT_NE(read(0, 1).find("another file took its name"), std::string::npos);
  EXPECT_TRUE(files_.damage->find());
}

TEST_F(FileThatIsRead, StaysWithItsDescriptor) {
  const Descriptor descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  file_ = ReadFile::open(descriptor.fd(), "-", true, files_).value();
  std::filesystem::remove(path_);
  EXPECT_EQ(read(3, 2), "34");
}

}  // namespace
}  // namespace tracebraid
