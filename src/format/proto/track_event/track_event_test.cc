#include <gtest/gtest.h>

#include <bit>

#include "event/event_kind.h"
#include "event/stats.h"
#include "format/proto/stats.h"
#include "format/proto/test_trace.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;
using Fields = field::TrackEvent;
using Type = field::TrackEvent_Type;
using Legacy = field::TrackEvent_LegacyEvent;
using Annotation = field::DebugAnnotation;

Msg event(uint64_t ts, const Msg& body) { return packet(1, ts).msg(Field::kTrackEvent, body); }

Msg instant() { return Msg().num(Fields::kType, Type::kInstant); }

Msg cleared() { return packet(1, 0).num(Field::kSequenceFlags, 1); }

Msg counter_track(uint64_t uuid, const Msg& counter) {
  using Track = field::TrackDescriptor;
  return packet(1, 0).msg(Field::kTrackDescriptor,
                          Msg().num(Track::kUuid, uuid).msg(Track::kCounter, counter));
}

Msg for_thread(int64_t pid, int64_t tid) {
  using Thread = field::ThreadDescriptor;
  return cleared().msg(Field::kThreadDescriptor, Msg()
                                                     .num(Thread::kPid, static_cast<uint64_t>(pid))
                                                     .num(Thread::kTid, static_cast<uint64_t>(tid))
                                                     .num(Thread::kReferenceTimestampUs, 1000));
}

std::vector<double> values(const Outcome& outcome) {
  std::vector<double> all;
  for (const Event& e : outcome.events(EventKind::Counter))
    all.push_back(std::bit_cast<double>(e.value));
  return all;
}

TEST(TrackEvent, CategoriesAreJoined) {
  const auto category = [](const Msg& body) {
    const Outcome outcome = read_packets(
        {cleared().msg(Field::kInternedData, Msg().msg(field::InternedData::kEventCategories,
                                                       Msg().num(1, 4).text(2, "four"))),
         event(1, body)});
    return outcome.text(outcome.events(EventKind::Instant).at(0).category);
  };
  EXPECT_EQ(category(instant()), "-");
  EXPECT_EQ(category(instant().text(Fields::kCategories, "")), "");
  EXPECT_EQ(category(instant().num(Fields::kCategoryIids, 9)), "unknown(9)");
  EXPECT_EQ(category(instant()
                         .text(Fields::kCategories, "x")
                         .num(Fields::kCategoryIids, 9)
                         .num(Fields::kCategoryIids, 4)),
            "four,x");
}

TEST(TrackEvent, CountersAreScaledAndSummed) {
  using Counter = field::CounterDescriptor;
  const auto value = [](uint64_t ts, uint64_t v) {
    return event(ts, Msg()
                         .num(Fields::kType, Type::kCounter)
                         .num(Fields::kTrackUuid, 2)
                         .num(Fields::kCounterValue, v));
  };
  const Outcome outcome = read_packets(
      {counter_track(2, Msg().num(Counter::kUnitMultiplier, 10).num(Counter::kIsIncremental, 1)),
       value(1, 3), value(2, static_cast<uint64_t>(-1)), cleared(), value(3, 5)});
  EXPECT_EQ(values(outcome), (std::vector<double>{30, 20, 50}));
}

TEST(TrackEvent, ExtraCountersAreAllOrNothing) {
  const auto extra = [](std::vector<uint64_t> uuids, std::vector<uint64_t> numbers) {
    Msg body = instant();
    for (const uint64_t uuid : uuids) body.num(Fields::kExtraCounterTrackUuids, uuid);
    return event(1, body.packed(Fields::kExtraCounterValues, numbers));
  };
  const Outcome outcome = read_packets(
      {counter_track(2, Msg()), extra({}, {1}), extra({2}, {1, 2}), extra({2, 7}, {1, 2}),
       extra({2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), extra({2, 7}, {5})});
  EXPECT_EQ(values(outcome), std::vector<double>{5});
  EXPECT_EQ(outcome.events(EventKind::Instant).size(), 1U);
  EXPECT_EQ(outcome.stat(stats::track_event_extra_counter_missing_track_uuids), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_extra_counter_track_uuid_mismatch), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_extra_counter_invalid_track), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_extra_counter_exceeds_max), 1);
}

TEST(TrackEvent, TimesInMicroseconds) {
  const auto with = [](uint32_t field_number, int64_t us) {
    return Msg()
        .num(Field::kTrustedPacketSequenceId, 1)
        .msg(Field::kTrackEvent, instant().num(field_number, static_cast<uint64_t>(us)));
  };
  const Outcome outcome = read_packets(
      {with(Fields::kTimestampDeltaUs, 1), for_thread(5, 6), with(Fields::kTimestampDeltaUs, 2),
       with(Fields::kTimestampDeltaUs, 3), with(Fields::kTimestampAbsoluteUs, 7),
       with(Fields::kTimestampAbsoluteUs, INT64_MIN / 2), with(Fields::kFlowIdsOld, 1)});
  std::vector<int64_t> times;
  for (const Event& e : outcome.events(EventKind::Instant)) times.push_back(e.ts);
  EXPECT_EQ(times, (std::vector<int64_t>{1'002'000, 1'005'000, 7'000}));
  EXPECT_EQ(outcome.stat(stats::track_event_skipped_timestamp_delta_without_valid_state), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_invalid_timestamp), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_missing_timestamp), 1);
  const ClockName& clock = outcome.batch.clocks[outcome.events(EventKind::Instant)[0].clock];
  EXPECT_EQ(clock.domain, 3U);
  EXPECT_EQ(clock.on_failure, OnFailure::KeepRaw);
}

TEST(TrackEvent, FlowsOfAnEvent) {
  const Outcome outcome = read_packets({event(1, instant()
                                                     .num(Fields::kFlowIdsOld, 1)
                                                     .fixed(Fields::kFlowIds, 2)
                                                     .num(Fields::kTerminatingFlowIdsOld, 3))});
  const Event e = outcome.events(EventKind::Instant).at(0);
  const uint32_t first = outcome.batch.slice_extras.at(e.extra).flows;
  const std::vector<FlowStep>& flows = outcome.batch.flows;
  ASSERT_EQ(flows.size(), first + 2U);
  EXPECT_EQ(flows[first].id, 2U);
  EXPECT_EQ(flows[first].kind, FlowStepKind::Flow);
  EXPECT_EQ(flows[first + 1].id, 3U);
  EXPECT_EQ(flows[first + 1].kind, FlowStepKind::Terminating);
  EXPECT_TRUE(flows[first + 1].last);
}

TEST(TrackEvent, EventsOfOtherTracksNameTheirWriter) {
  const auto on = [](uint64_t ts, uint64_t uuid) {
    return event(ts, instant().num(Fields::kTrackUuid, uuid));
  };
  const Outcome outcome =
      read_packets({for_thread(5, 6), on(1, 99), on(2, 0), event(3, instant())});
  std::vector<std::string> args;
  for (const Event& e : outcome.events(EventKind::Instant)) args.push_back(outcome.args(e.args));
  ASSERT_EQ(args.size(), 3U);
  EXPECT_TRUE(args[0].starts_with("legacy_event.passthrough_utid=")) << args[0];
  EXPECT_EQ(args[1], "");  // the default track
  EXPECT_EQ(args[2], "");  // the track of the writer
}

std::string annotations(const std::vector<Msg>& all, int64_t* errors = nullptr) {
  Msg body = instant();
  for (const Msg& one : all) body.msg(Fields::kDebugAnnotations, one);
  const Outcome outcome = read_packets({event(1, body)});
  if (errors != nullptr) *errors = outcome.stat(stats::track_event_parser_errors);
  return outcome.args(outcome.events(EventKind::Instant).at(0).args);
}

Msg named(std::string_view name) { return Msg().text(Annotation::kName, name); }

TEST(DebugAnnotation, Scalars) {
  EXPECT_EQ(annotations({named("a.b").num(Annotation::kIntValue, 1),
                         named("t").text(Annotation::kStringValue, "x"),
                         named("f").num(Annotation::kBoolValue, 1)}),
            "debug.a_b=1 debug.t=x debug.f=1");
}

TEST(DebugAnnotation, ArraysGoOnWhereTheyEnded) {
  const auto array = [](std::vector<uint64_t> numbers) {
    Msg m = named("a");
    for (const uint64_t v : numbers)
      m.msg(Annotation::kArrayValues, Msg().num(Annotation::kIntValue, v));
    return m;
  };
  EXPECT_EQ(annotations({array({4, 5}), array({6})}), "debug.a[0]=4 debug.a[1]=5 debug.a[2]=6");
}

TEST(DebugAnnotation, DictsInArrays) {
  const Msg dict = Msg().msg(Annotation::kDictEntries, named("k").num(Annotation::kIntValue, 3));
  EXPECT_EQ(annotations({named("a").msg(Annotation::kArrayValues, dict)}), "debug.a[0].k=3");
}

TEST(DebugAnnotation, JsonText) {
  EXPECT_EQ(annotations({named("j").text(Annotation::kLegacyJsonValue,
                                         R"({"a":1,"b":[true,null,"x"],"n":null})"),
                         named("s").text(Annotation::kLegacyJsonValue, "12")}),
            "debug.j.a=1 debug.j.b[0]=1 unlisted debug.j.b[1]=0 debug.j.b[1]=x "
            "unlisted debug.j.n=0 unlisted debug.s=12");
}

TEST(DebugAnnotation, FlawsLoseOneItem) {
  int64_t errors = 0;
  EXPECT_EQ(annotations({Msg().num(Annotation::kIntValue, 1), named("v"),
                         named("j").text(Annotation::kLegacyJsonValue, "{"),
                         Msg().num(Annotation::kNameIid, 9).num(Annotation::kIntValue, 2),
                         named("ok").num(Annotation::kIntValue, 3)},
                        &errors),
            "unlisted debug.v=0 debug.ok=3");
  EXPECT_EQ(errors, 4);
}

TEST(DebugAnnotation, DeepNestingEnds) {
  Msg inner = Msg().num(Annotation::kIntValue, 1);
  for (int i = 0; i < 3000; ++i) inner = Msg().msg(Annotation::kArrayValues, inner);
  EXPECT_EQ(annotations({named("deep").msg(Annotation::kArrayValues, inner)}), "");
}

Msg legacy(char phase, Msg fields = {}) {
  return Msg()
      .text(Fields::kName, "n")
      .msg(Fields::kLegacyEvent, fields.num(Legacy::kPhase, static_cast<uint8_t>(phase)));
}

TEST(LegacyEvent, PhasesOfThreads) {
  const Outcome outcome = read_packets(
      {for_thread(5, 6), event(1, legacy('B')), event(2, legacy('E')),
       event(3, legacy('X', Msg().num(Legacy::kDurationUs, 4))), event(4, legacy('i')),
       event(5, legacy('C')),
       event(6, legacy('X', Msg().num(Legacy::kDurationUs, static_cast<uint64_t>(-4))))});
  EXPECT_EQ(outcome.events(EventKind::SliceBegin).size(), 1U);
  EXPECT_EQ(outcome.events(EventKind::SliceEnd).size(), 1U);
  EXPECT_EQ(outcome.events(EventKind::Slice).at(0).value, 4000);
  EXPECT_EQ(outcome.events(EventKind::ChromeRaw).size(), 1U);
  EXPECT_EQ(outcome.stat(stats::track_event_parser_errors), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_dropped), 1);
  EXPECT_EQ(outcome.text(outcome.track(outcome.events(EventKind::Instant).at(0)).type),
            "thread_execution");
}

TEST(LegacyEvent, AsyncTracksByIdAndScope) {
  const auto async = [](uint64_t id, std::string_view scope) {
    Msg fields = Msg().num(Legacy::kUnscopedId, id);
    if (!scope.empty()) fields.text(Legacy::kIdScope, scope);
    return event(1, legacy('b', fields));
  };
  const Outcome outcome =
      read_packets({for_thread(5, 6), async(1, ""), async(1, ""), async(2, ""), async(1, "s")});
  const auto begins = outcome.events(EventKind::SliceBegin);
  ASSERT_EQ(begins.size(), 4U);
  EXPECT_EQ(begins[0].track, begins[1].track);
  EXPECT_NE(begins[0].track, begins[2].track);
  EXPECT_NE(begins[0].track, begins[3].track);
  EXPECT_EQ(outcome.args(outcome.track(begins[3]).dimensions), "scope=:s");
  EXPECT_TRUE(outcome.track(begins[0]).named_by_first_event);
}

TEST(LegacyEvent, AsyncWithoutAnIdIsLost) {
  const Outcome outcome = read_packets({for_thread(5, 6), event(1, legacy('b'))});
  EXPECT_TRUE(outcome.events(EventKind::SliceBegin).empty());
  EXPECT_EQ(outcome.stat(stats::track_event_parser_errors), 1);
  EXPECT_EQ(outcome.stat(stats::track_event_dropped), 1);
}

TEST(LegacyEvent, MetadataNamesThreads) {
  Msg body = Msg().text(Fields::kName, "thread_name");
  body.msg(Fields::kDebugAnnotations, named("name").text(Annotation::kStringValue, "main"));
  body.msg(Fields::kLegacyEvent, Msg().num(Legacy::kPhase, 'M'));
  const Outcome outcome = read_packets({for_thread(5, 6), event(1, body)});
  const auto names = outcome.events(EventKind::ThreadName);
  ASSERT_EQ(names.size(), 1U);
  EXPECT_EQ(outcome.text(names[0].name), "main");
  EXPECT_EQ(outcome.batch.threads[names[0].track].tid, 6);
}

}  // namespace
}  // namespace tracebraid::proto
