// Fuzzes the content of two recordings, of which one is given twice: any events with the args that
// each kind of content reads, and any values of these. Places the files twice, with one result.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/assert.h"
#include "event/batch.h"
#include "event/event_kind.h"
#include "fuzz/fuzzed_bytes.h"
#include "merge/locate/locate.h"

namespace tracebraid {
namespace {

constexpr std::array<std::string_view, 26> kKeys{"args.Collective name",
                                                 "args.Process Group Name",
                                                 "args.Process Group Ranks",
                                                 "args.Group size",
                                                 "args.Seq",
                                                 "args.Comms Id",
                                                 "args.In msg nelems",
                                                 "args.Out msg nelems",
                                                 "args.In split size",
                                                 "args.dtype",
                                                 "args.External id",
                                                 "args.Rank",
                                                 "args.trace_id",
                                                 "args.spanId",
                                                 "debug.parent_span_id",
                                                 "args.span.kind",
                                                 "args.traceparent",
                                                 "args.id",
                                                 "args.sync_id",
                                                 "args.message",
                                                 "debug.msg",
                                                 "buf",
                                                 "args.tag",
                                                 "debug.adjtimex.status",
                                                 "debug.adjtimex.maxerror_us",
                                                 "args.text"};
constexpr std::array<std::string_view, 24> kTexts{
    "allreduce",
    "_allgather_base",
    "broadcast",
    "[0, 1]",
    "[0, 1, ...",
    "[0,,]",
    "default_pg",
    "0",
    "float32",
    "0af7651916cd43dd8448eb211c80319c",
    "b7ad6b7169203331",
    "00000000000000000000000000000000",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00--",
    "client",
    "server",
    "",
    "the connection to the server was refused",
    "2026-01-01 10:00:00 [main] a line of a log file",
    "f1",
    "marker-7",
    "[4, 0]",
    "18446744073709551615",
    "3f5a91c7e2b4d689"};
constexpr std::array<std::string_view, 12> kNames{"ncclKernel_AllReduce_RING_LL_Sum_float(args)",
                                                  "ncclDevKernel_Broadcast",
                                                  "record_param_comms",
                                                  "tracebraid.sync",
                                                  "clock_sync",
                                                  "tracebraid.clock_status",
                                                  "print",
                                                  "request",
                                                  "step<int>(x)",
                                                  "__x64_sys_read",
                                                  "sys_write",
                                                  ""};
constexpr std::array<std::string_view, 4> kMetadata{"json_distributedInfo.rank",
                                                    "json_distributedInfo.world_size",
                                                    "json_distributedInfo.backend", "other"};
constexpr std::array kEventKinds{
    EventKind::Slice,       EventKind::SliceBegin, EventKind::SliceEnd, EventKind::Instant,
    EventKind::FlowStart,   EventKind::FlowStep,   EventKind::FlowEnd,  EventKind::Log,
    EventKind::FtraceEvent, EventKind::FlowEndHere};
constexpr std::array<uint32_t, 4> kDomains{kPrivateClock, domain::kRealtime, domain::kBoottime,
                                           domain::kMonotonic};
constexpr uint32_t kThreads = 3, kMostEvents = 600;

const Format kFuzzedFormat{
    .name = "json",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .rank = ArchiveRank::Usual,
    .sniff = nullptr,
    .read = nullptr};

// Bytes that choose what a recording contains.
class Choices : public FuzzedBytes {
 public:
  using FuzzedBytes::FuzzedBytes;
  template <class List>
  auto one_of(const List& list) {
    return list[byte() % list.size()];
  }
  // Mostly small, sometimes at the ends of the range.
  int64_t number() {
    const uint8_t kind = byte();
    if (kind == 255) return INT64_MAX - byte();
    if (kind == 254) return INT64_MIN + byte();
    const int64_t value = signed_of(1 + kind % 6);
    return kind % 16 == 15 ? -value : value;
  }
};

EventBatch empty_batch() {
  EventBatch batch;
  for (const uint32_t domain : kDomains)
    batch.clocks.push_back({.domain = domain, .by_default = domain == kPrivateClock});
  batch.processes.push_back({.pid = 1});
  for (uint32_t i = 0; i < kThreads; ++i) {
    batch.threads.push_back({.tid = 1 + i, .pid = 1});
    batch.tracks.push_back({.scope = TrackScope::Thread, .owner = i});
  }
  for (const std::string_view key : kKeys) {
    const StringId id = batch.strings.intern(key);
    batch.args.keys.push_back({id, id});
  }
  batch.streams.emplace_back();
  batch.host_used = batch.host_used_first = true;
  return batch;
}

void add_args(Choices& bytes, size_t count, EventBatch& batch) {
  for (size_t i = 0; i < count; ++i) {
    ArgRow row{.value = 0,
               .key = bytes.byte() % uint32_t{kKeys.size()},
               .type = ArgType::Int,
               .last = i + 1 == count};
    if (const uint8_t kind = bytes.byte(); kind % 3 == 0) {
      row.value = bytes.number();
    } else {
      row.type = kind % 3 == 1 ? ArgType::String : ArgType::Json;
      row.value = batch.strings.intern(bytes.one_of(kTexts)).row;
    }
    batch.args.rows.push_back(row);
  }
}

void add_event(Choices& bytes, EventBatch& batch) {
  const EventKind kind = bytes.one_of(kEventKinds);
  const uint8_t flags = bytes.byte();
  Event event{.ts = bytes.number(),
              .value = bytes.number(),
              .track = flags % kThreads,
              .name = batch.strings.intern(bytes.one_of(kNames)),
              .category = {},
              .args = kNone,
              .extra = kNone,
              .clock = flags % uint32_t{kDomains.size()},
              .kind = static_cast<uint8_t>(kind)};
  if (const size_t count = flags / 8 % 8; count > 0) {
    event.args = static_cast<uint32_t>(batch.args.rows.size());
    add_args(bytes, count, batch);
  }
  if (kind == EventKind::Slice && flags >= 192) {
    event.extra = static_cast<uint32_t>(batch.slice_extras.size());
    batch.slice_extras.push_back({.flows = static_cast<uint32_t>(batch.flows.size())});
    batch.flows.push_back(
        {static_cast<uint64_t>(bytes.number()), static_cast<FlowStepKind>(bytes.byte() % 6), true});
  }
  batch.streams[0].events.push_back(event);
}

void add_snapshot(Choices& bytes, EventBatch& batch) {
  Snapshot snapshot{.first = static_cast<uint32_t>(batch.readings.size()), .count = 2};
  for (const uint32_t clock : {1U, 2U + bytes.byte() % 2U})
    batch.readings.push_back({clock, bytes.number()});
  batch.snapshots.push_back(snapshot);
}

std::array<EventBatch, 2> read_batches(Choices& bytes) {
  std::array<EventBatch, 2> batches{empty_batch(), empty_batch()};
  for (uint32_t i = 0; !bytes.empty() && i < kMostEvents; ++i) {
    const uint8_t what = bytes.byte();
    EventBatch& batch = batches[what % 2];
    if (what >= 240)
      batch.metadata.push_back(
          {.key = batch.strings.intern(bytes.one_of(kMetadata)), .value = bytes.byte() % 4});
    else if (what >= 220)
      add_snapshot(bytes, batch);
    else
      add_event(bytes, batch);
  }
  return batches;
}

// The rows of clock_match_set, as text.
std::string sets_of(const std::vector<FileToLocate>& files) {
  Store store;
  const Result<Located> located = locate(files, nullptr, {}, store);
  TB_ASSERT(located.has_value());
  std::string all;
  const ClockMatchSetTable& sets = store.clock_match_sets;
  for (size_t row = 0; row < sets.rows(); ++row) {
    all += std::string(store.strings.get(sets.kind[row])) + ' ' +
           std::string(store.strings.get(sets.verdict[row])) + ' ' +
           std::to_string(sets.used[row]) + ' ' + std::to_string(sets.offset_ns[row].value) + '\n';
    TB_ASSERT(sets.bound_ns[row].value == OptInt::kNull || sets.bound_ns[row].value >= 0);
    TB_ASSERT(sets.used[row] >= 0 && sets.outliers[row] <= sets.candidates[row]);
  }
  return all;
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  if (size > 16384) return 0;
  Choices bytes(data, size);
  const std::array<EventBatch, 2> batches = read_batches(bytes);
  std::vector<FileToLocate> files;
  files.push_back({.file = FileId{0}, .is_container = true});
  for (uint32_t i = 0; i <= batches.size(); ++i)
    files.push_back({.file = FileId{i + 1},
                     .parent = FileId{0},
                     .name = std::to_string(i) + ".json",
                     .manifest_path = std::to_string(i) + ".json",
                     .format = &kFuzzedFormat,
                     .chunks = {&batches[i % batches.size()]}});
  TB_ASSERT(sets_of(files) == sets_of(files));
  return 0;
}
