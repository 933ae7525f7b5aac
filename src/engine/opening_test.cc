// Traces from paths, memory, streams and braids; limits and damage of one opening.
#include "engine/trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "container/test_archives.h"
#include "engine/connection.h"
#include "engine/export.h"

namespace tracebraid {
namespace {

using TraceResult = Result<std::shared_ptr<const Trace>>;

class Texts final : public RowSink {
 public:
  std::string text;
  void columns(std::span<const std::string> names) override {
    for (const std::string& name : names) text += name + "|";
    text += '\n';
  }
  bool row(std::span<const Cell> cells) override {
    for (const Cell& cell : cells)
      text += cell.kind == Cell::Kind::Int    ? std::to_string(cell.integer)
              : cell.kind == Cell::Kind::Real ? std::to_string(cell.real)
                                              : std::string(cell.text);
    text += '\n';
    return true;
  }
};

// A JSON trace with `count` slices that have args of their own.
std::string json_of(int count) {
  std::string json = "[";
  for (int i = 0; i < count; ++i)
    json += fmt::format(
        R"({}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":5,"name":"slice {}","args":{{"at":"{:x}"}}}})",
        i == 0 ? "" : ",\n", i % 7, i * 10, i % 100, static_cast<unsigned>(i) * 2654435761U);
  return json + "]\n";
}

std::string ftrace_of(int count) {
  std::string text = "# tracer: nop\n#\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  app-{} [000] d..3 {}.{:06d}: sched_switch: prev_comm=app prev_pid={} prev_prio=120 "
        "prev_state=S ==> next_comm=app next_pid={} next_prio=120\n",
        10 + i % 3, 100 + i / 1000, i % 1000 * 1000, 10 + i % 3, 10 + (i + 1) % 3);
  return text;
}

struct Named {
  std::string name, bytes;
};

std::vector<Named> inputs() {
  const std::string json = json_of(5000), ftrace = ftrace_of(3000);
  return {{"trace.json", json},
          {"trace.txt", ftrace},
          {"trace.json.gz", test::gzipped(json)},
          {"stacks.txt", "main;work;deep 12\nmain;work 3\n"},
          {"small.json", json_of(2)},
          {"both.zip", test::zip_of({{.name = "a.json", .content = json, .method = 8},
                                     {.name = "b.txt", .content = ftrace}})}};
}

std::shared_ptr<const Engine> engine(const std::string& io, uint64_t memory_limit = 0) {
  return Engine::create({.threads = 2, .today = 20000, .io = io, .memory_limit = memory_limit})
      .value();
}

TraceInput stream_of(const std::string& name, std::string bytes) {
  return stream_input(name,
                      [bytes = std::move(bytes), at = size_t{0}](char* into, size_t size) mutable {
                        size = std::min({size, size_t{70'000}, bytes.size() - at});
                        bytes.copy(into, size, at);
                        at += size;
                        return Result<size_t>(size);
                      });
}

TraceResult open(const std::shared_ptr<const Engine>& with, const TraceInput& input) {
  Progress progress;
  return Trace::open(with, std::span(&input, 1), TraceOptions(), progress);
}

std::string rows_of(const TraceResult& trace) {
  if (!trace) return trace.error().message;
  const auto connection = TraceConnection::open(*trace).value();
  Texts texts;
  for (const char* table :
       {"slice", "thread", "process", "sched", "args", "stats", "perf_callsite", "trace_file"}) {
    const Result<> ran = connection->run(std::string("SELECT * FROM ") + table, texts);
    if (!ran) texts.text += ran.error().message;
  }
  return texts.text;
}

TEST(Opening, IsTheSameFromMemoryStreamsAndBothWaysToReadFiles) {
  const test::TemporaryDirectory directory;
  for (const Named& input : inputs()) {
    const std::string path = directory.write(input.name, input.bytes);
    const std::string rows = rows_of(open(engine("map"), {.name = path}));
    EXPECT_GT(rows.size(), 500U) << rows;
    EXPECT_EQ(rows_of(open(engine("read"), {.name = path})), rows) << input.name;
    EXPECT_EQ(rows_of(open(engine("read"), buffer_input(path, input.bytes, nullptr))), rows);
    EXPECT_EQ(rows_of(open(engine("read"), stream_of(path, input.bytes))), rows) << input.name;
  }
}

TEST(Opening, BraidsComeFromMemoryAndStreamsToo) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("trace.json", json_of(5000));
  const std::string braid = directory.path() + "/trace.braid";
  const TraceResult merged = open(engine("read"), {.name = path});
  const std::string rows = rows_of(merged);
  Progress progress;
  ExportRequest request;
  request.path = braid;
  ASSERT_TRUE(export_trace(merged.value(), "braid", request, progress));
  std::ifstream file(braid, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(rows_of(open(engine("read"), {.name = braid})), rows);
  EXPECT_EQ(rows_of(open(engine("read"), stream_of("x", bytes))), rows);
  for (const size_t offset : {size_t{0}, size_t{1}}) {
    const std::string moved = std::string(offset, ' ') + bytes;
    int released = 0;
    {
      const TraceResult opened = open(
          engine("read"),
          buffer_input("x", std::string_view(moved).substr(offset), [&released] { ++released; }));
      EXPECT_EQ(rows_of(opened), rows);
    }
    EXPECT_EQ(released, 1);
  }
}

TEST(Opening, OfAStreamThatFailsIsItsError) {
  const TraceResult opened =
      open(engine("read"), stream_input("x", [](char*, size_t) -> Result<size_t> {
             return fail(ErrorCode::Io, "the connection was lost");
           }));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::Io);
  EXPECT_EQ(opened.error().message, "the connection was lost");
}

TEST(Opening, TwoEnginesHaveLimitsOfTheirOwn) {
  constexpr uint64_t kMegabyte = uint64_t{1} << 20;
  const std::string json = json_of(1'700'000);  // some 150 MB while it is merged
  const auto smaller = engine("read", 100 * kMegabyte), larger = engine("read", 200 * kMegabyte);
  TraceResult failed, opened;
  {
    const std::jthread one([&] { failed = open(smaller, buffer_input("x", json, nullptr)); });
    const std::jthread other([&] { opened = open(larger, buffer_input("x", json, nullptr)); });
  }
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::NoMemory);
  EXPECT_EQ(failed.error().message,
            "the memory limit of 100.0 MB is too small for these traces; raise memory-limit, or "
            "open fewer or smaller traces");
  EXPECT_EQ(smaller->memory_limit()->used(), 0U);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_GT(larger->memory_limit()->used(), 10 * kMegabyte) << "of the tables";
  opened = nullptr;
  EXPECT_EQ(larger->memory_limit()->used(), 0U);
  EXPECT_TRUE(open(smaller, buffer_input("x", json_of(100), nullptr))) << "a smaller trace";
}

TEST(Opening, AFileThatShrinksIsTheErrorOfItsTraceAlone) {
  struct sigaction before{};
  sigaction(SIGBUS, nullptr, &before);
  const test::TemporaryDirectory directory;
  const std::string json = json_of(300'000);
  const std::string cut = directory.write("cut.json", json);
  const std::string whole = directory.write("whole.json", json);
  const auto with = engine("read");
  Progress progress;
  std::jthread cutter([&] {
    while (progress.done() < 2'000'000) std::this_thread::yield();
    std::filesystem::resize_file(cut, json.size() / 4);
  });
  const TraceInput input{.name = cut};
  const TraceResult damaged = Trace::open(with, std::span(&input, 1), TraceOptions(), progress);
  cutter.join();
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::Io);
  EXPECT_NE(damaged.error().message.find("shrank"), std::string::npos) << damaged.error().message;
  EXPECT_TRUE(open(with, {.name = whole}));
  struct sigaction after{};
  sigaction(SIGBUS, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler) << "an engine installs no handler";
}

}  // namespace
}  // namespace tracebraid
