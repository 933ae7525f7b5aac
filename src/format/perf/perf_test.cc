#include <gtest/gtest.h>

#include <string>

#include "base/workers.h"
#include "event/event_kind.h"
#include "format/format.h"
#include "format/perf/records.h"
#include "format/perf/stats.h"

namespace tracebraid::perf {
extern const Format kFormat;
namespace {

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr uint64_t kSampleType = kIp | kTid | kTime | kCpu | kPeriod | kCallchain;

std::string record(uint32_t type, uint16_t misc, const std::string& body) {
  std::string bytes;
  put(bytes, type);
  put(bytes, misc);
  put(bytes, static_cast<uint16_t>(body.size() + 8));
  return bytes + body;
}

std::string mmap_of(uint32_t pid, uint64_t start, uint64_t size, const std::string& path) {
  std::string body;
  put(body, pid);
  put(body, pid);
  put(body, start);
  put(body, size);
  put(body, uint64_t{0x100});  // offset in the file
  body += path;
  body.resize((body.size() + 8) / 8 * 8);
  return record(kMmap, 2, body);
}

std::string sample_of(uint64_t time, std::initializer_list<uint64_t> chain) {
  std::string body;
  put(body, *chain.begin());
  put(body, uint32_t{10});
  put(body, uint32_t{11});
  put(body, time);
  put(body, uint32_t{1});
  put(body, uint32_t{0});
  put(body, uint64_t{250});
  put(body, uint64_t{chain.size()});
  for (const uint64_t address : chain) put(body, address);
  return record(kSample, 2, body);
}

// Returns a record of --switch-events: the thread that ran before or comes next, and the emitter.
std::string switch_of(uint64_t time, uint16_t misc, uint32_t other, uint32_t self) {
  std::string body;
  for (const uint32_t id : {other, other, self, self}) put(body, id);  // pid, tid
  put(body, time);
  put(body, uint64_t{3});  // CPU
  return record(kSwitchCpuWide, misc, body);
}

std::string aux_of(uint64_t offset, uint64_t size, uint64_t flags) {
  std::string body;
  for (const uint64_t value : {offset, size, flags}) put(body, value);
  put(body, uint64_t{0});  // pid, tid
  put(body, uint64_t{7});
  put(body, uint64_t{3});
  return record(kAux, 0, body);
}

constexpr uint64_t kSampleIdAll = 1 << 18;
std::string file_of(const std::string& data, uint64_t attr_flags = 0) {
  std::string attr;
  put(attr, uint32_t{0});
  put(attr, uint32_t{64});
  put(attr, uint64_t{0});
  put(attr, uint64_t{250});
  put(attr, kSampleType);
  put(attr, uint64_t{0});
  put(attr, attr_flags);
  attr.resize(64);
  std::string file(kMagic);
  constexpr uint64_t kHeadBytes = 104;
  put(file, kHeadBytes);
  put(file, uint64_t{80});
  put(file, kHeadBytes);
  put(file, uint64_t{80});
  put(file, kHeadBytes + 80);
  put(file, uint64_t{data.size()});
  file.resize(kHeadBytes);
  file += attr;
  file.resize(kHeadBytes + 80);  // no ids
  return file + data;
}

EventBatch read(const std::string& file) {
  Workers workers(1);
  Chunks chunks(workers);
  Input input(file);
  (void)kFormat.read(input, {}, chunks);
  std::vector<EventBatch> batches = std::move(chunks).finish();
  return batches.empty() ? EventBatch() : std::move(batches.front());
}

TEST(PerfData, SamplesOfBuffersAreInOrderOfTime) {
  const std::string file = file_of(mmap_of(10, 0x1000, 0x1000, "/bin/a") +
                                   sample_of(200, {0x1010, 0x1020}) + sample_of(100, {0x1030}));
  const EventBatch batch = read(file);
  ASSERT_EQ(batch.streams.size(), 1U);
  ASSERT_EQ(batch.streams[0].events.size(), 2U);
  EXPECT_EQ(batch.streams[0].events[0].ts, 100);
  const StackTables& stacks = batch.stacks;
  const Callsite leaf = stacks.callsites.at(stacks.samples.at(1).callsite);
  EXPECT_EQ(stacks.frames.at(leaf.frame).rel_pc, 0x110);  // in the file
  EXPECT_EQ(stacks.frames.at(stacks.callsites.at(leaf.parent).frame).rel_pc, 0x120);
  EXPECT_EQ(batch.strings.get(stacks.mappings.at(0).name), "/bin/a");
  EXPECT_EQ(stacks.sample_counters.at(1).value, 500);
}

TEST(PerfData, SwitchesOfCpusAreScheduling) {
  constexpr uint16_t kOut = 1 << 13, kPreempt = 1 << 14;
  const EventBatch batch =
      read(file_of(switch_of(100, kOut, 12, 0) + switch_of(101, 0, 0, 12) +
                       switch_of(200, kOut | kPreempt, 13, 12) + switch_of(201, 0, 12, 13),
                   kSampleIdAll));
  ASSERT_EQ(batch.switches.size(), 2U);
  EXPECT_EQ(batch.switches[0].next_tid, 12);
  EXPECT_EQ(batch.strings.get(batch.switches[0].prev_state_text), "S");
  EXPECT_EQ(batch.switches[1].prev_tid, 12);
  EXPECT_EQ(batch.switches[1].next_tid, 13);
  EXPECT_EQ(batch.strings.get(batch.switches[1].prev_state_text), "R+");
  ASSERT_EQ(batch.not_imported.size(), 1U);
  EXPECT_EQ(batch.not_imported[0].count, 2U);
}

TEST(PerfData, SwitchesOfThreadsAreTheirStates) {
  constexpr uint16_t kOut = 1 << 13, kPreempt = 1 << 14;
  const auto change = [](uint64_t time, uint16_t misc, uint32_t self) {
    std::string body;
    put(body, self);  // pid, tid
    put(body, self);
    put(body, time);
    put(body, uint64_t{3});  // CPU
    return record(kSwitch, misc, body);
  };
  const EventBatch batch =
      read(file_of(change(100, 0, 7) + change(150, kOut, 7) + change(180, 0, 7) +
                       change(190, kOut | kPreempt, 7) + change(195, 0, ~uint32_t{0}),
                   kSampleIdAll));
  ASSERT_EQ(batch.streams.size(), 1U);
  std::string states;
  for (const Event& event : batch.streams[0].events)
    if (event.what() == EventKind::ThreadState)
      states += std::to_string(event.ts) + '+' + std::to_string(event.value) + ' ' +
                std::string(batch.strings.get(event.name)) + ' ';
  EXPECT_EQ(states, "100+50 Running 150+30 S 180+10 Running 190+-1 R+ ");
  EXPECT_EQ(batch.threads.size(), 1U);
}

TEST(PerfData, LossesOfHardwareTracesAreCounted) {
  const EventBatch batch =
      read(file_of(aux_of(0, 64, 1) + aux_of(64, 64, 0) + aux_of(228, 10, 4 | 8), kSampleIdAll));
  const auto value_of = [&](StatId stat) {
    for (const StatCount& count : batch.stats)
      if (count.stat == stat) return count.value;
    return int64_t{0};
  };
  EXPECT_EQ(value_of(stats::perf_aux_truncated), 1);
  EXPECT_EQ(value_of(stats::perf_aux_partial), 1);
  EXPECT_EQ(value_of(stats::perf_aux_collision), 1);
  EXPECT_EQ(value_of(stats::perf_aux_lost), 100);
}

TEST(PerfData, DamagedFilesAreReadAsFarAsTheyGo) {
  const std::string file =
      file_of(mmap_of(10, 0x1000, 0x1000, "/bin/a") + sample_of(200, {0x1010}));
  for (size_t size = 0; size < file.size(); ++size) read(file.substr(0, size));
  for (size_t at = 8; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    read(damaged);
  }
  EXPECT_EQ(read(file).streams.size(), 1U);
  EXPECT_TRUE(read(file.substr(0, file.size() - 1)).streams.empty());
}

TEST(PerfData, FormatsOfTracepointsSayWhereFieldsAre) {
  Tracepoint tracepoint;
  EXPECT_EQ(parse_format("name: sched_switch\nID: 314\nformat:\n"
                         "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                         "\n\tfield:char prev_comm[4];\toffset:2;\tsize:4;\tsigned:0;\n"
                         "\tfield:pid_t prev_pid;\toffset:6;\tsize:4;\tsigned:1;\n"
                         "\tfield:__data_loc char[] path;\toffset:10;\tsize:4;\tsigned:0;\n"
                         "\nprint fmt: \"field:int no;\"\n",
                         tracepoint),
            314U);
  ASSERT_EQ(tracepoint.fields.size(), 4U);
  std::string raw(
      "\x01\x00"
      "ab\0\0"
      "\xff\xff\xff\xff",
      10);
  put(raw, uint32_t{3} << 16 | 14);
  raw += "xyz";
  EXPECT_EQ(text_in(raw, *tracepoint.find("prev_comm")), "ab");
  EXPECT_EQ(number_in(raw, *tracepoint.find("prev_pid")), -1);
  EXPECT_EQ(text_in(raw, *tracepoint.find("path")), "xyz");
  EXPECT_EQ(text_in(raw.substr(0, 11), *tracepoint.find("path")), "");
}

}  // namespace
}  // namespace tracebraid::perf
