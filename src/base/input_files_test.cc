#include "base/input_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

class InputFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "tracebraid_inputs_" + std::to_string(getpid());
    fs::create_directories(folder_ + "/in/deep");
    for (const char* name : {"/a", "/b", "/in/deep/c"}) std::ofstream(folder_ + name) << name;
    fs::create_symlink("a", folder_ + "/link");
    fs::create_hard_link(folder_ + "/a", folder_ + "/twin");
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<> check(const std::string& name, bool force = true) const {
    return check_output_file(folder_ + name, force, inputs_);
  }

  std::string folder_;
  InputFiles inputs_;
};

TEST_F(InputFilesTest, LinksAndOtherSpellingsAreTheSameFile) {
  inputs_.add(folder_ + "/a");
  for (const char* name : {"/a", "/link", "/twin", "/./a", "/in/../a"})
    EXPECT_EQ(check(name).error().code, ErrorCode::Usage) << name;
  EXPECT_NE(check("/link").error().message.find(folder_ + "/a"), std::string::npos);
  EXPECT_TRUE(check("/b"));
  EXPECT_TRUE(check("/new"));
}

TEST_F(InputFilesTest, AFolderCountsWithAllItsFiles) {
  inputs_.add(folder_ + "/in");
  EXPECT_FALSE(check("/in/deep/c"));
  EXPECT_TRUE(check("/in/deep/d"));
  EXPECT_TRUE(check("/a"));
}

TEST_F(InputFilesTest, AnExistingFileNeedsForce) {
  EXPECT_TRUE(check("/a", true));
  EXPECT_NE(check("/a", false).error().message.find("--force"), std::string::npos);
  EXPECT_TRUE(check("/new", false));
  EXPECT_TRUE(check_output_file("/dev/null", false, inputs_));
  inputs_.add(folder_ + "/missing");
  EXPECT_TRUE(check("/missing", false));
}

}  // namespace
}  // namespace tracebraid
