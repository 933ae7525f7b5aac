#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tracebraid {
namespace {

TEST(MappedFile, AFileThatShrinksReadsAsZerosAndIsReported) {
  const std::string path = testing::TempDir() + "tracebraid_shrinks_" + std::to_string(getpid());
  constexpr size_t kSize = size_t{1} << 20;
  std::ofstream(path) << std::string(kSize, 'x');
  Result<MappedFile> mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  const std::string_view bytes = mapped->bytes();
  EXPECT_EQ(bytes[kSize - 1], 'x');
  EXPECT_TRUE(files_cut_short().empty());

  std::filesystem::resize_file(path, kSize / 2);
  EXPECT_EQ(bytes[0], 'x');
  EXPECT_EQ(bytes[kSize / 2 - 1], 'x');
  EXPECT_EQ(bytes[kSize - 1], '\0');
  EXPECT_EQ(bytes[kSize / 2 + 1], '\0');
  EXPECT_EQ(files_cut_short(), std::vector<std::string>{path});

  mapped = MappedFile();
  EXPECT_TRUE(files_cut_short().empty()) << "only while it is mapped";
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
