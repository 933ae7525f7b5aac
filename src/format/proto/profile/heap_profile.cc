#include "format/proto/profile/heap_profile.h"

#include <utility>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/samples.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

// A flag of a dump that is a stat by pid.
struct DumpFlag {
  uint32_t field;
  StatId stat;
};
using DumpField = field::ProfilePacket_ProcessHeapSamples;
constexpr DumpFlag kFlags[] = {
    {DumpField::kBufferCorrupted, stats::heapprofd_buffer_corrupted},
    {DumpField::kBufferOverran, stats::heapprofd_buffer_overran},
    {DumpField::kHitGuardrail, stats::heapprofd_hit_guardrail},
    {DumpField::kRejectedConcurrent, stats::heapprofd_rejected_concurrent},
    {DumpField::kDisconnected, stats::heapprofd_client_disconnected},
};

int64_t signed_of(uint64_t value) { return static_cast<int64_t>(value); }

// `counts_peaks`: whether the number of allocations at the maximum is valid.
HeapSample read_sample(Message fields, bool counts_peaks) {
  using Field = field::ProfilePacket_HeapSample;
  HeapSample sample;
  std::optional<uint64_t> peak;
  uint64_t peak_count = 0;
  while (fields.next()) {
    if (fields.number() == Field::kCallstackId) sample.source_id = fields.u64();
    if (fields.number() == Field::kSelfAllocated) sample.alloc_bytes = fields.i64();
    if (fields.number() == Field::kSelfFreed) sample.free_bytes = fields.i64();
    if (fields.number() == Field::kAllocCount) sample.alloc_count = fields.i64();
    if (fields.number() == Field::kFreeCount) sample.free_count = fields.i64();
    if (fields.number() == Field::kSelfMax) peak = fields.u64();
    if (fields.number() == Field::kSelfMaxCount) peak_count = fields.u64();
  }
  // A dump of the maximum replaces the other values.
  if (peak.value_or(0) == 0) return sample;
  return {.source_id = sample.source_id,
          .alloc_bytes = signed_of(*peak),
          .alloc_count = counts_peaks ? signed_of(peak_count) : 0};
}

}  // namespace

void HeapProfileReader::read(const PacketInfo& packet, std::string_view message,
                             PacketOutput& out) {
  using Field = field::ProfilePacket;
  Series& series = series_[{packet.machine, packet.sequence->id}];
  series.machine = packet.machine;
  bool goes_on = false;
  uint64_t index = 0;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kStrings:
        series.stacks.add_string(fields.bytes(), out.sink);
        break;
      case Field::kFrames:
        series.stacks.add_frame(fields.message(), out.sink);
        break;
      case Field::kCallstacks:
        series.stacks.add_callstack(fields.message());
        break;
      case Field::kMappings:
        series.stacks.add_mapping(fields.message(), out.sink);
        break;
      case Field::kContinued:
        goes_on = fields.flag();
        break;
      case Field::kIndex:
        index = fields.u64();
        break;
      default:
        break;
    }
  }
  if (series.last_index && index != *series.last_index + 1)
    out.count(stats::heapprofd_missing_packet, packet);
  series.last_index = index;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kProcessDumps) read_dump(packet, fields.message(), series, out);
  if (goes_on) return;
  write_dumps(series, out);
  series.stacks = {};
}

void HeapProfileReader::read_dump(const PacketInfo& packet, Message message, Series& series,
                                  PacketOutput& out) {
  Dump dump;
  std::vector<Message> samples;
  std::optional<std::string_view> stats;
  std::vector<StatId> flags;
  uint64_t interval = 0, asked_interval = 0, client_error = 0;
  while (message.next()) {
    for (const DumpFlag& flag : kFlags)
      if (message.number() == flag.field && message.flag()) flags.push_back(flag.stat);
    switch (message.number()) {
      case DumpField::kPid:
        dump.pid = message.i64();
        break;
      case DumpField::kSamples:
        samples.push_back(message.message());
        break;
      case DumpField::kStats:
        stats = message.bytes();
        break;
      case DumpField::kTimestamp:
        dump.end = message.i64();
        break;
      case DumpField::kStartTimestamp:
        dump.start = message.i64();
        dump.has_start = true;
        break;
      case own::kField:
        for (Message about = message.message(); about.next();) {
          if (about.number() == own::HeapDump::kPid) dump.pid = about.i64();
          if (about.number() == own::HeapDump::kStart) dump.start = about.i64();
          if (about.number() != own::HeapDump::kEnd) continue;
          dump.end = about.i64();
          dump.own_end = packet.time;
          dump.own_end->ticks = dump.end;
        }
        break;
      case DumpField::kHeapName:
        dump.heap_name = out.sink.string(message.bytes());
        break;
      case DumpField::kSamplingIntervalBytes:
        interval = message.u64();
        break;
      case DumpField::kOrigSamplingIntervalBytes:
        asked_interval = message.u64();
        break;
      case DumpField::kClientError:
        client_error = message.u64();
        break;
      default:
        break;
    }
  }
  const auto pid = static_cast<int32_t>(dump.pid);
  const auto tally = [&](StatId stat, int64_t amount) {
    if (amount != 0) out.sink.tally(stat, amount, packet.machine, pid);
  };
  for (const StatId stat : flags) tally(stat, 1);
  if (client_error != 0) tally(stats::heapprofd_client_error, signed_of(client_error));
  LatestStats& latest = latest_[packet.machine];
  if (packet.has_time) latest.set(stats::heapprofd_last_profile_timestamp, packet.time.ticks, pid);
  if (interval != asked_interval && asked_interval != 0)
    latest.set(stats::heapprofd_sampling_interval_adjusted, signed_of(interval - asked_interval),
               pid);
  if (stats) {
    using Stats = field::ProfilePacket_ProcessStats;
    for (Message fields(*stats); fields.next();) {
      if (fields.number() == Stats::kHeapSamples)
        tally(stats::heapprofd_unwind_samples, fields.i64());
      if (fields.number() == Stats::kTotalUnwindingTimeUs)
        tally(stats::heapprofd_unwind_time_us, fields.i64());
      if (fields.number() == Stats::kClientSpinlockBlockedUs)
        tally(stats::heapprofd_client_spinlock_blocked, fields.i64());
    }
  }
  for (const Message& fields : samples) {
    HeapSample sample = read_sample(fields, asked_interval > 0);
    const std::optional<uint32_t> own =
        series.stacks.callsite(sample.source_id, packet.machine, out.sink);
    sample.callsite = own ? *own : find_callsite(packet, sample.source_id, out.sink);
    if (sample.callsite != kNone) dump.samples.push_back(sample);
  }
  // A process may continue in the next packet.
  for (Dump& known : series.dumps) {
    if (known.pid != dump.pid || known.heap_name != dump.heap_name) continue;
    known.samples.insert(known.samples.end(), dump.samples.begin(), dump.samples.end());
    known.end = dump.end;
    known.own_end = dump.own_end;
    return;
  }
  series.dumps.push_back(std::move(dump));
}

void HeapProfileReader::write_dumps(Series& series, PacketOutput& out) {
  for (Dump& dump : std::exchange(series.dumps, {})) {
    const ClockChoice coarse{.domain = field::BuiltinClock::kMonotonicCoarse,
                             .on_failure = OnFailure::KeepRaw};
    const EventTime time =
        dump.own_end ? *dump.own_end : out.clocks.time(series.machine, coarse, dump.end);
    const uint32_t process = out.sink.process({.machine = series.machine, .pid = dump.pid});
    uint32_t first_sample = kNone;
    int64_t dur = 0;
    if (!dump.has_start || __builtin_sub_overflow(dump.end, dump.start, &dur)) dur = 0;
    if (!dump.samples.empty()) {
      std::vector<HeapSample>& all = out.sink.batch().stacks.heap_samples;
      first_sample = static_cast<uint32_t>(all.size());
      dump.samples.back().last = true;
      all.insert(all.end(), dump.samples.begin(), dump.samples.end());
    }
    out.sink.event(make_heap_dump(time, process, dump.heap_name, dur, first_sample));
  }
}

void HeapProfileReader::finish(PacketOutput& out) {
  for (auto& [key, series] : series_) {
    if (series.dumps.empty()) continue;
    out.sink.tally(stats::heapprofd_non_finalized_profile, 1, series.machine);
    write_dumps(series, out);
  }
  for (const auto& [machine, latest] : latest_) latest.finish(machine, out.sink);
}

}  // namespace tracebraid::proto
