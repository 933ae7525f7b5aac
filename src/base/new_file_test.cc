#include "base/new_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace tracebraid {
namespace {

TEST(NewFile, TwoAtOnceWithOnePathGiveOneWholeFile) {
  const std::string path = testing::TempDir() + "tracebraid_new_" + std::to_string(getpid());
  UnfinishedFiles unfinished;
  const HostFiles files{.unfinished_files = &unfinished};
  Result<NewFile> one = NewFile::create(path, files), two = NewFile::create(path, files);
  ASSERT_TRUE(one && two);
  EXPECT_FALSE(unfinished.empty());
  EXPECT_NE(one->written_path(), two->written_path());
  ASSERT_TRUE(one->write("the first"));
  ASSERT_TRUE(two->write("the second file"));
  const std::string left = two->written_path();
  ASSERT_TRUE(two->finish());
  ASSERT_TRUE(one->finish());
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "the first");
  EXPECT_NE(::access(left.c_str(), F_OK), 0);
  EXPECT_TRUE(unfinished.empty());
  std::remove(path.c_str());
}

TEST(NewFile, APipeWithoutReadersIsAnErrorAndNoSignal) {
  const std::string path = testing::TempDir() + "tracebraid_pipe_" + std::to_string(getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  ASSERT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_DFL) << "which would end this process";
  std::thread reader([&] { std::ifstream(path).get(); });
  Result<NewFile> file = NewFile::create(path, {});
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("x"));
  reader.join();
  const Result<> written = file->write("y");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::Io);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tracebraid
