#include "generate/generate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "generate/workload.h"

namespace tracebraid::generate {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class GenerateTest : public testing::Test {
 protected:
  GenerateTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("tracebraid-generate-" + std::string(test->name()) + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  ~GenerateTest() override { fs::remove_all(folder_); }

  std::string written(const Kind& kind, const Order& order) {
    fs::path path = folder_ / "trace";
    EXPECT_TRUE(generate(kind, order, path));
    return bytes_of(path);
  }

  fs::path folder_;
};

TEST_F(GenerateTest, SameOrderSameBytesAnotherSeedOthers) {
  for (const Kind& kind : kinds()) {
    std::string first = written(kind, {.bytes = 200'000, .seed = 7});
    EXPECT_EQ(first, written(kind, {.bytes = 200'000, .seed = 7})) << kind.name;
    EXPECT_NE(first, written(kind, {.bytes = 200'000, .seed = 8})) << kind.name;
  }
}

TEST_F(GenerateTest, FilesEndSoonAfterTheSizeAskedFor) {
  for (const Kind& kind : kinds()) {
    size_t size = written(kind, {.bytes = 3'000'000}).size();
    EXPECT_GE(size, 3'000'000U) << kind.name;
    EXPECT_LE(size, 3'060'000U) << kind.name;
  }
}

// After a change of the generator: tracebraid-generate examples -o examples
TEST_F(GenerateTest, ExamplesAreWhatTheGeneratorWrites) {
  const char* source = std::getenv("TRACEBRAID_SOURCE");
  ASSERT_NE(source, nullptr) << "TRACEBRAID_SOURCE names the source folder";
  ASSERT_TRUE(generate_examples(folder_));
  for (const char* name : {"phone.pftrace", "watch.pftrace", "app.json", "manifest.json"})
    EXPECT_TRUE(bytes_of(folder_ / name) == bytes_of(fs::path(source) / "examples" / name)) << name;
}

TEST_F(GenerateTest, AFileThatCannotBeWrittenIsAnError) {
  Result<> missing = generate(kinds()[0], {}, folder_ / "no-such-folder" / "trace");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("no-such-folder"), std::string::npos);
  EXPECT_FALSE(generate(kinds()[0], {}, "/dev/full"));
}

TEST_F(GenerateTest, KindsAreFoundByName) {
  for (const Kind& kind : kinds()) EXPECT_EQ(find_kind(kind.name), &kind);
  EXPECT_EQ(find_kind("no such kind"), nullptr);
}

// Properties that the writers rely on.
TEST(WorkloadTest, EventsAreInOrderNestedAndOnOneCpuAtATime) {
  Workload workload({.seed = 3, .cpus = 4}, phone_words());
  std::vector<std::vector<int64_t>> open(workload.threads().size());
  std::vector<uint32_t> running(workload.cpus(), kIdle);
  int64_t last = 0;
  for (int i = 0; i < 100'000; ++i) {
    WorkloadEvent h = workload.next();
    ASSERT_GE(h.ts, last);
    last = h.ts;
    if (h.what == What::Begin) {
      open[h.thread].push_back(h.ts);
    } else if (h.what == What::End) {
      ASSERT_FALSE(open[h.thread].empty());
      ASSERT_EQ(open[h.thread].back(), h.begin_ts);
      open[h.thread].pop_back();
    } else if (h.what == What::Switch) {
      ASSERT_EQ(h.prev, running[h.cpu]);
      running[h.cpu] = h.next;
      if (h.next != kIdle) {
        ASSERT_EQ(std::count(running.begin(), running.end(), h.next), 1);
      }
    }
  }
}

TEST(RandomTest, StaysInRange) {
  Random random(1);
  int64_t longest = 0;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_LT(random.below(7), 7U);
    int64_t value = random.spread(1000);
    ASSERT_GE(value, 1);
    longest = std::max(longest, value);
  }
  EXPECT_GT(longest, 10'000) << "some durations are many times the typical one";
  EXPECT_LE(longest, 32'000);
}

}  // namespace
}  // namespace tracebraid::generate
