#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/stats.h"
#include "format/proto/test_trace.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;
using Track = field::TrackDescriptor;
using Event_ = field::TrackEvent;

Msg descriptor(const Msg& track) { return packet(1, 0).msg(Field::kTrackDescriptor, track); }

Msg child(uint64_t uuid, uint64_t parent, std::string_view name) {
  Msg m;
  m.num(Track::kUuid, uuid);
  if (parent != 0) m.num(Track::kParentUuid, parent);
  if (!name.empty()) m.text(Track::kName, name);
  return m;
}

Msg thread(uint64_t uuid, uint64_t pid, uint64_t tid) {
  using Thread = field::ThreadDescriptor;
  return Msg()
      .num(Track::kUuid, uuid)
      .msg(Track::kThread, Msg().num(Thread::kPid, pid).num(Thread::kTid, tid));
}

Msg process(uint64_t uuid, uint64_t pid) {
  return Msg()
      .num(Track::kUuid, uuid)
      .msg(Track::kProcess, Msg().num(field::ProcessDescriptor::kPid, pid));
}

Msg event(uint64_t uuid, uint32_t type = field::TrackEvent_Type::kInstant) {
  return packet(1, 10).msg(Field::kTrackEvent,
                           Msg().num(Event_::kType, type).num(Event_::kTrackUuid, uuid));
}

// Returns the name of the track of the first instant.
const TrackName& track_of(const Outcome& outcome) {
  return outcome.track(outcome.events(EventKind::Instant).at(0));
}

TEST(Tracks, DescriptorsMayComeLate) {
  const Outcome outcome = read_packets({event(3), descriptor(child(3, 2, "leaf")),
                                        descriptor(child(2, 1, "mid")), descriptor(process(1, 5))});
  const TrackName& leaf = track_of(outcome);
  EXPECT_EQ(outcome.text(leaf.type), "process_merged_track_event");
  EXPECT_EQ(outcome.text(leaf.name), "leaf");
  EXPECT_EQ(outcome.batch.processes[leaf.owner].pid, 5);
  EXPECT_EQ(outcome.args(leaf.dimensions),
            "parent_track_uuid=2 merge_key_type=0 merge_key_value=leaf");
  const TrackName& mid = outcome.batch.tracks.at(leaf.parent);
  EXPECT_EQ(outcome.text(mid.name), "mid");
  const TrackName& root = outcome.batch.tracks.at(mid.parent);
  EXPECT_TRUE(root.root);
  EXPECT_EQ(outcome.text(root.type), "process_track_event");
  EXPECT_EQ(outcome.args(root.source_args), "source=descriptor trace_id=1 is_root_in_scope=1");
}

TEST(Tracks, UndeclaredIsNamedByItsFirstEvent) {
  const Outcome outcome = read_packets({event(77)});
  const TrackName& track = track_of(outcome);
  EXPECT_EQ(outcome.text(track.type), "global_merged_track_event");
  EXPECT_TRUE(track.named_by_first_event);
  EXPECT_EQ(track.cookie, 77U);
  EXPECT_EQ(track.lanes, Lanes::ByCookie);
}

TEST(Tracks, ThreadsAreRoots) {
  const Outcome outcome = read_packets({descriptor(thread(1, 5, 6)), event(1)});
  const TrackName& track = track_of(outcome);
  EXPECT_EQ(outcome.text(track.type), "thread_execution");
  EXPECT_EQ(track.source_args, kNone);
  EXPECT_EQ(outcome.batch.threads[track.owner].life, 1U);
  EXPECT_EQ(outcome.batch.threads[track.owner].tid, 6);
}

TEST(Tracks, NearestThreadOrProcessOwns) {
  Msg inner = thread(2, 5, 6);
  inner.num(Track::kParentUuid, 1);
  const Outcome outcome = read_packets(
      {descriptor(process(1, 5)), descriptor(inner), descriptor(child(3, 2, "x")), event(3)});
  EXPECT_EQ(track_of(outcome).scope, TrackScope::Thread);
}

TEST(Tracks, MergingByKeyOrNotAtAll) {
  Msg by_key = child(1, 0, "a");
  by_key.num(Track::kSiblingMergeBehavior, 3).text(Track::kSiblingMergeKey, "k");
  const Outcome keyed = read_packets({descriptor(by_key), event(1)});
  EXPECT_EQ(keyed.args(track_of(keyed).dimensions),
            "parent_track_uuid=0 merge_key_type=2 merge_key_value=k");
  Msg alone = child(1, 0, "a");
  alone.num(Track::kSiblingMergeBehavior, 2);
  const Outcome single = read_packets({descriptor(alone), event(1)});
  EXPECT_EQ(single.args(track_of(single).dimensions), "track_uuid=1");
  EXPECT_EQ(track_of(single).lanes, Lanes::Single);
}

TEST(Tracks, FirstDeclarationStays) {
  const Outcome outcome =
      read_packets({descriptor(child(1, 0, "")), descriptor(child(1, 0, "a")),
                    descriptor(child(1, 0, "b")), descriptor(child(1, 9, "c")), event(1)});
  EXPECT_EQ(outcome.text(track_of(outcome).name), "a");
  EXPECT_EQ(outcome.stat(stats::track_descriptor_conflicting_reservation), 1);
}

TEST(Tracks, LoopsLoseTheirEvents) {
  const Outcome outcome = read_packets(
      {descriptor(child(2, 3, "a")), descriptor(child(3, 2, "b")), event(2), event(99)});
  EXPECT_EQ(outcome.events(EventKind::Instant).size(), 1U);
  EXPECT_EQ(outcome.stat(stats::track_event_track_hierarchy_loop), 3);
  EXPECT_EQ(outcome.stat(stats::track_event_parser_errors), 3);
  EXPECT_EQ(outcome.stat(stats::track_event_dropped), 1);
}

TEST(Tracks, MissingParents) {
  const Outcome outcome = read_packets({descriptor(child(2, 3, "a")), event(2), event(2)});
  EXPECT_TRUE(outcome.events(EventKind::Instant).empty());
  EXPECT_EQ(outcome.stat(stats::track_hierarchy_missing_uuid), 3);
  EXPECT_EQ(outcome.stat(stats::track_event_dropped), 2);
}

TEST(Tracks, TooManyAncestors) {
  const auto with_ancestors = [](uint64_t count) {
    std::vector<Msg> packets;
    for (uint64_t i = 1; i <= count + 1; ++i) packets.push_back(descriptor(child(i, i - 1, "t")));
    packets.push_back(event(count + 1));
    return read_packets(packets);
  };
  EXPECT_EQ(with_ancestors(100).events(EventKind::Instant).size(), 1U);
  EXPECT_TRUE(with_ancestors(101).events(EventKind::Instant).empty());
  EXPECT_EQ(with_ancestors(101).stat(stats::track_event_track_hierarchy_too_deep), 2);
}

TEST(Tracks, WrongKindOfEvent) {
  using Type = field::TrackEvent_Type;
  Msg counter = child(1, 0, "c");
  counter.msg(Track::kCounter, Msg());
  const Outcome outcome = read_packets({descriptor(counter), event(1), event(2, Type::kState)});
  EXPECT_TRUE(outcome.events(EventKind::Instant).empty());
  EXPECT_TRUE(outcome.events(EventKind::State).empty());
  EXPECT_EQ(outcome.stat(stats::track_event_parser_errors), 2);
  EXPECT_EQ(outcome.stat(stats::track_event_dropped), 2);
}

TEST(Tracks, FlawsOfDescriptors) {
  const Outcome outcome = read_packets({
      descriptor(Msg().text(Track::kName, "x")),
      descriptor(Msg().num(Track::kUuid, 3).msg(Track::kThread, Msg().num(1, 4))),
      descriptor(Msg().num(Track::kUuid, 4).msg(Track::kProcess, Msg())),
      descriptor(Msg().num(Track::kUuid, 0).num(Track::kParentUuid, 8)),
      descriptor(Msg().num(Track::kUuid, 5).num(Track::kChildOrdering, 17)),
  });
  EXPECT_EQ(outcome.stat(stats::track_descriptor_missing_uuid), 1);
  EXPECT_EQ(outcome.stat(stats::track_descriptor_thread_missing_pid_tid), 1);
  EXPECT_EQ(outcome.stat(stats::track_descriptor_process_missing_pid), 1);
  EXPECT_EQ(outcome.stat(stats::track_descriptor_default_track_with_parent), 1);
  EXPECT_EQ(outcome.stat(stats::track_descriptor_invalid_child_ordering), 1);
}

}  // namespace
}  // namespace tracebraid::proto
