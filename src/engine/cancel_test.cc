// Openings that are cancelled at their first, second, ... poll: each gives Cancelled or the trace,
// and leaves nothing behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>

#include "container/test_archives.h"
#include "engine/connection.h"
#include "engine/export.h"
#include "engine/trace.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;
using TraceResult = Result<std::shared_ptr<const Trace>>;

std::string json_of(int count) {
  std::string json = "[";
  for (int i = 0; i < count; ++i)
    json += fmt::format(R"({}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":5,"name":"slice {}"}})",
                        i == 0 ? "" : ",\n", i % 7, i * 10, i % 100);
  return json + "]\n";
}

std::string example(const std::string& name) {
  return fmt::format("{}/examples/{}", std::getenv("TRACEBRAID_SOURCE"), name);
}

size_t open_descriptors() {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

// Names of the files in a folder.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

class Cancels : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("TRACEBRAID_SOURCE") == nullptr) GTEST_SKIP() << "no TRACEBRAID_SOURCE";
  }

  std::shared_ptr<const Engine> engine(unsigned threads) const {
    EngineOptions options{.threads = threads, .today = 20000, .memory_limit = uint64_t{1} << 40};
    options.files.temporary_directory = temporary.path();
    return Engine::create(options).value();
  }

  // Cancels at the first look, the second, and so on, until an opening succeeds. Returns how many
  // were cancelled.
  uint64_t cancel_everywhere(const std::function<std::vector<TraceInput>()>& inputs,
                             const TraceOptions& options = {}) {
    uint64_t cancelled = 0;
    for (const unsigned threads : {1U, 3U}) {
      const auto with = engine(threads);
      const size_t descriptors = open_descriptors();
      // Each poll is after the last cancel and before the first opening that succeeds.
      uint64_t last = 0, first_opened = 0;
      while (first_opened != last + 1) {
        const uint64_t poll =
            first_opened == 0 ? last + 1 + last / 6 : std::midpoint(last, first_opened);
        Progress progress;
        progress.cancel_at_poll(poll);
        TraceResult opened = Trace::open(with, inputs(), options, progress);
        progress.cancel_at_poll(0);
        if (opened) {
          EXPECT_FALSE(progress.cancelled()) << "at poll " << poll;
          first_opened = poll;
          clean_up();
          continue;
        }
        last = poll;
        EXPECT_EQ(opened.error().code, ErrorCode::Cancelled) << opened.error().message;
        EXPECT_EQ(with->memory_limit()->used(), 0U) << "at poll " << poll;
        EXPECT_EQ(open_descriptors(), descriptors) << "at poll " << poll;
        EXPECT_EQ(files_of(temporary.path()), std::vector<std::string>()) << "at poll " << poll;
        if (HasFailure()) return 0;
        ++cancelled;
        if (progress.stage() != nullptr) stages.insert(progress.stage());
        clean_up();
      }
    }
    return cancelled;
  }
  // Cancels openings of paths with a cache.
  uint64_t cancel_with_cache(const std::vector<std::string>& paths) {
    TraceOptions options;
    options.cache = true;
    options.cache_dir = cache.path();
    const auto inputs = [&] { return path_inputs(paths); };
    clean_up = [this] {
      for (const std::string& name : files_of(cache.path())) {
        EXPECT_TRUE(name.ends_with(".braid")) << name;
        fs::remove(cache.path() + "/" + name);
      }
    };
    const uint64_t cancelled = cancel_everywhere(inputs, options);
    clean_up = [] {};
    return cancelled;
  }

  const test::TemporaryDirectory directory, temporary, cache;
  std::function<void()> clean_up = [] {};
  std::set<std::string> stages;  // in which openings were cancelled
};

TEST_F(Cancels, OfOneFile) {
  const std::string json = directory.write("trace.json", json_of(3000));
  const std::string packed = directory.write("trace.json.gz", test::gzipped(json_of(3000)));
  for (const std::string& path : {json, packed, example("phone.pftrace")})
    EXPECT_GT(cancel_everywhere([&] { return path_inputs(std::span(&path, 1)); }), 20U) << path;
}

TEST_F(Cancels, OfSeveralFilesWhoseClocksAreRelated) {
  const std::vector<std::string> paths = {example("phone.pftrace"), example("watch.pftrace")};
  EXPECT_GT(cancel_everywhere([&] { return path_inputs(paths); }), 20U);
}

TEST_F(Cancels, OfAnArchiveAndAFolder) {
  const std::string json = json_of(2000);
  const std::string zip = directory.write(
      "both.zip", test::zip_of({{.name = "a.json", .content = json, .method = 8},
                                {.name = "b.json", .content = json},
                                {.name = "c.json.gz", .content = test::gzipped(json)}}));
  for (const std::string& path : {zip, directory.path()})
    EXPECT_GT(cancel_everywhere([&] { return path_inputs(std::span(&path, 1)); }), 20U) << path;
}

TEST_F(Cancels, OfMemoryAndStreams) {
  const std::string json = json_of(2000);
  EXPECT_GT(cancel_everywhere([&] {
              return std::vector<TraceInput>{
                  buffer_input("a.json", json, nullptr),
                  stream_input("b.json", [&json, at = size_t{0}](char* into, size_t size) mutable {
                    size = std::min({size, size_t{7000}, json.size() - at});
                    json.copy(into, size, at);
                    at += size;
                    return Result<size_t>(size);
                  })};
            }),
            20U);
}

TEST_F(Cancels, WhileTheCacheIsWrittenAndRead) {
  const std::string json = directory.write("trace.json", json_of(3000));
  EXPECT_GT(cancel_with_cache({json}), 20U);
  EXPECT_TRUE(stages.contains("caching the merged trace"));
  EXPECT_GT(cancel_with_cache({example("phone.pftrace"), example("watch.pftrace")}), 20U);
}

TEST_F(Cancels, OfABraid) {
  const std::string path = directory.path() + "/trace.braid";
  const std::string trace = example("phone.pftrace");
  Progress progress;
  const TraceResult opened =
      Trace::open(engine(1), path_inputs(std::span(&trace, 1)), {}, progress);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(export_trace(*opened, "braid", {.path = path}, progress));
  TraceOptions options;
  for (const bool for_queries : {true, false}) {
    options.for_queries = for_queries;
    EXPECT_GT(cancel_everywhere([&] { return path_inputs(std::span(&path, 1)); }, options), 5U);
  }
}

// The trace is merged by then, and its cache written or found to be impossible.
TEST_F(Cancels, InAWarningAtTheEnd) {
  directory.write("trace.json", json_of(10));
  Progress progress;
  TraceOptions options;
  options.cache = true;
  options.warn = [&](std::string_view) { progress.cancel(); };
  const std::string folder = directory.path(), file = folder + "/trace.json";
  const TraceResult of_folder =
      Trace::open(engine(1), path_inputs(std::span(&folder, 1)), options, progress);
  ASSERT_FALSE(of_folder);
  EXPECT_EQ(of_folder.error().code, ErrorCode::Cancelled);

  Progress again;
  options.warn = [&](std::string_view) { again.cancel(); };
  options.cache_dir = folder + "/missing";
  const TraceResult of_file =
      Trace::open(engine(1), path_inputs(std::span(&file, 1)), options, again);
  ASSERT_FALSE(of_file);
  EXPECT_EQ(of_file.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace tracebraid
