#include "format/proto/deferred_packets.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "base/memory_limit.h"
#include "format/proto/batch_text.h"
#include "format/proto/test_trace.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;
using EventField = field::TrackEvent;
using Descriptor = field::TrackDescriptor;

// Writers that name, declare, clear, lose and count, with packets between them that are read at
// once.
class RandomTrace {
 public:
  explicit RandomTrace(unsigned seed) : random_(seed) {}

  std::vector<Msg> make(size_t packets) {
    std::vector<Msg> all;
    for (uint32_t sequence = 1; sequence <= kSequences; ++sequence) all.push_back(open(sequence));
    while (all.size() < packets) all.push_back(next());
    return all;
  }

 private:
  static constexpr uint32_t kSequences = 5;
  uint64_t below(uint64_t n) { return random_() % n; }
  bool once_in(uint64_t n) { return below(n) == 0; }

  Msg open(uint32_t sequence) {
    Msg clock = Msg()
                    .msg(1, Msg().num(1, 6).num(2, ts_))
                    .msg(1, Msg().num(1, 64).num(2, ts_).num(3, sequence % 2));
    return Msg()
        .num(Field::kTrustedPacketSequenceId, sequence)
        .num(Field::kSequenceFlags, 1)
        .msg(Field::kTracePacketDefaults, Msg().num(58, 64).msg(11, Msg().num(11, 100 + sequence)))
        .msg(Field::kClockSnapshot, clock);
  }

  Msg next() {
    const auto sequence = static_cast<uint32_t>(1 + below(kSequences));
    if (once_in(40)) return descriptor(sequence);
    if (once_in(50)) return open(sequence);
    if (once_in(60)) return packet(sequence, ts_).num(Field::kPreviousPacketDropped, 1);
    if (once_in(30)) return process_stats();
    if (once_in(20)) return bundle(sequence);
    if (once_in(200)) return packet(sequence, ts_).msg(Field::kTranslationTable, Msg());
    return track_event(sequence);
  }

  Msg descriptor(uint32_t sequence) {
    const uint64_t uuid = 100 + below(12);
    Msg track = Msg().num(Descriptor::kUuid, uuid).num(Descriptor::kParentUuid, below(3) * 100);
    if (uuid % 3 == 0) track.msg(Descriptor::kCounter, counter(uuid));
    if (uuid % 3 == 1)
      track.msg(Descriptor::kThread, Msg().num(1, 7).num(2, uuid).num(6, uuid).num(7, 1));
    else if (uuid % 4 == 1)
      track.msg(Descriptor::kProcess, Msg().num(1, uuid).text(6, "process").num(7, ts_));
    else
      track.text(Descriptor::kName, "track " + std::to_string(uuid));
    if (once_in(9)) track.num(Descriptor::kSiblingOrderRank, below(3));
    Msg m = packet(sequence, ++ts_).num(Field::kTimestampClockId, 6);
    if (once_in(9)) m.num(Field::kFirstPacketOnSequence, 1);
    if (once_in(20)) return m.msg(Field::kThreadDescriptor, Msg().num(1, 7).num(2, 70).num(6, ts_));
    return m.msg(Field::kTrackDescriptor, track);
  }

  // Some counters are incremental, so that a missing or repeated value changes all later ones.
  static Msg counter(uint64_t uuid) {
    Msg m = Msg().num(field::CounterDescriptor::kUnitMultiplier, uuid % 2 * 1000);
    if (uuid % 9 == 0) m.num(field::CounterDescriptor::kType, 1);
    return m.num(field::CounterDescriptor::kIsIncremental, uuid % 2);
  }

  Msg process_stats() {
    return Msg()
        .num(Field::kTrustedPacketSequenceId, 90)
        .num(Field::kTimestamp, ++ts_)
        .msg(Field::kProcessStats, Msg().msg(1, Msg().num(1, 7).num(3, below(1000))));
  }

  Msg bundle(uint32_t sequence) {
    Msg compact = Msg().text(5, "one").text(5, "two").packed(1, {ts_, 1, 2}).packed(2, {0, 1, 2});
    compact.packed(3, {1, 2, below(9)}).packed(4, {120, 120, 120}).packed(6, {0, 1, below(2)});
    compact.packed(7, {ts_}).packed(8, {3}).packed(9, {0}).packed(10, {1}).packed(11, {1});
    Msg all = Msg().num(1, below(3)).msg(4, compact);
    if (once_in(3)) all.msg(2, Msg().num(1, ts_).num(2, 5).msg(3, Msg().text(1, "x").text(2, "y")));
    return packet(sequence, ts_).num(Field::kTimestampClockId, 6).msg(Field::kFtraceEvents, all);
  }

  Msg track_event(uint32_t sequence) {
    Msg m = Msg().num(Field::kTrustedPacketSequenceId, sequence).num(Field::kSequenceFlags, 2);
    m.num(Field::kTimestamp, sequence % 2 == 1 ? below(3) : (ts_ += below(2)));
    if (once_in(4)) {
      const std::string text = "name " + std::to_string(below(30));
      m.msg(Field::kInternedData, Msg().msg(1 + static_cast<uint32_t>(below(3)),
                                            Msg().num(1, 1 + below(6)).text(2, text)));
    }
    Msg e = Msg().num(EventField::kType, 1 + below(4));
    if (!once_in(5)) e.num(EventField::kNameIid, 1 + below(6));
    if (once_in(5)) e.text(EventField::kName, "own " + std::to_string(below(9)));
    if (once_in(2)) e.num(EventField::kCategoryIids, 1 + below(6));
    if (once_in(3)) e.num(EventField::kTrackUuid, 100 + below(14));
    if (once_in(3)) e.num(EventField::kCounterValue, below(100));
    if (once_in(3))
      e.msg(EventField::kDebugAnnotations, Msg().num(1, 1 + below(6)).num(4, below(5)));
    if (once_in(6)) e.msg(EventField::kDebugAnnotations, Msg().text(10, "key").text(6, "text"));
    if (once_in(9)) e.fixed(EventField::kFlowIds, below(5));
    if (once_in(9)) e.num(EventField::kTimestampDeltaUs, below(5));
    if (once_in(9)) e.num(EventField::kThreadTimeDeltaUs, below(5));
    if (once_in(9)) e.num(EventField::kThreadInstructionCountDelta, below(5));
    if (once_in(9)) {
      e.num(EventField::kExtraCounterTrackUuids, 100 + below(4) * 3);
      e.num(EventField::kExtraCounterValues, below(100));
    }
    return m.msg(Field::kTrackEvent, e);
  }

  std::mt19937_64 random_;
  uint64_t ts_ = 1000;
};

using Counts = std::map<std::tuple<StatId, uint32_t, int32_t>, int64_t>;

struct Reading {
  size_t batches = 0;
  std::vector<std::string> lines;
  Counts counts;
  std::vector<uint64_t> conversions;  // before each snapshot
  std::string error;
};

Reading read_all(const std::string& bytes, size_t chunk_bytes, unsigned threads) {
  Workers workers(threads);
  Chunks chunks(workers);
  Input input(bytes);
  Reading reading;
  if (const Result<> done = read_file(input, {}, chunk_bytes, chunks); !done)
    reading.error = done.error().message;
  const std::vector<EventBatch> batches = std::move(chunks).finish();
  reading.batches = batches.size();
  reading.lines = lines_of(batches);
  for (const EventBatch& batch : batches)
    for (const StatCount& count : batch.stats)
      reading.counts[{count.stat, count.machine, count.index}] += count.value;
  for (const Snapshot& snapshot : batches.front().snapshots)
    reading.conversions.push_back(snapshot.events_before);
  return reading;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  if (in_a == a.end() && in_b == b.end()) return "";
  return fmt::format("line {}: {}, not {}", in_a - a.begin(), in_a == a.end() ? "none" : *in_a,
                     in_b == b.end() ? "none" : *in_b);
}

TEST(DeferredPackets, ReadsTheSameInOneChunkAndInMany) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::string bytes = trace(RandomTrace(seed).make(700));
    const Reading once = read_all(bytes, 0, 1);
    EXPECT_EQ(once.batches, 1U);
    EXPECT_GT(once.lines.size(), 100U);
    for (const size_t chunk_bytes : {size_t{1}, size_t{300}, size_t{5000}, kUsualChunkBytes}) {
      for (const unsigned threads : {1U, 3U}) {
        const Reading many = read_all(bytes, chunk_bytes, threads);
        if (chunk_bytes <= 300) {
          EXPECT_GT(many.batches, 5U);
        }
        EXPECT_EQ(first_difference(many.lines, once.lines), "")
            << "seed " << seed << ", " << chunk_bytes;
        EXPECT_EQ(many.counts, once.counts) << "seed " << seed << ", " << chunk_bytes;
        EXPECT_EQ(many.conversions, once.conversions);
        EXPECT_EQ(many.error, once.error);
      }
    }
  }
}

// The tables may come long after the events.
TEST(DeferredPackets, TablesHoldForEventsLongBeforeThem) {
  std::vector<Msg> packets{packet(1, 1).num(Field::kSequenceFlags, 1)};
  for (uint64_t ts = 2; ts < 400; ++ts)
    packets.push_back(packet(1, ts).msg(
        Field::kTrackEvent,
        Msg().num(EventField::kType, 3).text(EventField::kName, "raw").num(9900, ts)));
  const Msg field = Msg()
                        .text(1, "own_field")
                        .text(2, ".perfetto.protos.TrackEvent")
                        .num(3, 9900)
                        .num(4, 1)
                        .num(5, 4);
  packets.push_back(packet(1, 500).msg(Field::kExtensionDescriptor,
                                       Msg().msg(1, Msg().msg(1, Msg().msg(7, field)))));
  packets.push_back(packet(1, 501).msg(
      Field::kTranslationTable, Msg().msg(field::TranslationTable::kSliceName,
                                          Msg().msg(1, Msg().text(1, "raw").text(2, "shown")))));
  const std::string bytes = trace(packets);
  for (const size_t chunk_bytes : {size_t{0}, size_t{300}, kUsualChunkBytes}) {
    const Reading reading = read_all(bytes, chunk_bytes, 2);
    const auto holds = [&](std::string_view text) {
      return std::ranges::count_if(reading.lines, [&](const std::string& line) {
        return line.find(text) != std::string::npos;
      });
    };
    EXPECT_EQ(holds("shown"), 398) << chunk_bytes;
    EXPECT_EQ(holds("own_field"), 398) << chunk_bytes;
    EXPECT_EQ(reading.counts.count({stats::unknown_extension_fields, 0, -1}), 0U) << chunk_bytes;
  }
}

// The chunks after the limit stay unread.
TEST(DeferredPackets, EndWithoutEventsWhenTheMemoryIsExceeded) {
  const std::string bytes = trace(RandomTrace(1).make(700));
  for (const uint64_t limit : {uint64_t{1}, uint64_t{20000}}) {
    HeldMemory memory(std::make_shared<MemoryLimit>(limit));
    Workers workers(2);
    Chunks chunks(workers, &memory);
    Input input(bytes);
    EXPECT_TRUE(read_file(input, {}, 300, chunks));
    std::move(chunks).finish();
    EXPECT_TRUE(memory.is_exceeded()) << limit;
  }
}

// If the state is larger than the packets, chunks grow.
TEST(DeferredPackets, ChunksGrowWithTheState) {
  Msg names;
  for (uint64_t iid = 1; iid <= 400; ++iid)
    names.msg(2, Msg().num(1, iid).text(2, "a name of some length " + std::to_string(iid)));
  std::vector<Msg> packets{
      packet(1, 1).num(Field::kSequenceFlags, 1).msg(Field::kInternedData, names)};
  for (uint64_t ts = 2; ts < 2000; ++ts)
    packets.push_back(packet(1, ts).msg(
        Field::kTrackEvent, Msg().num(EventField::kType, 3).num(EventField::kNameIid, 7)));
  const std::string bytes = trace(packets);
  const Reading reading = read_all(bytes, 100, 2);
  EXPECT_LE(reading.batches, 3U);
  EXPECT_EQ(first_difference(reading.lines, read_all(bytes, 0, 1).lines), "");
}

}  // namespace
}  // namespace tracebraid::proto
