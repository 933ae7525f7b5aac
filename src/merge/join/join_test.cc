#include "merge/join/join.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "event/event_kind.h"
#include "event/sink.h"

namespace tracebraid {
namespace {

// Returns a batch in which one thread of pid 7 has a track with a dimension and a child track;
// `salt` shifts all indexes.
EventBatch batch_of(int salt) {
  EventBatch batch;
  EventSink sink(batch);
  for (int i = 0; i < salt; ++i) {
    sink.string("salt " + std::to_string(i));
    sink.thread({.tid = 100 + i});
    sink.track({.name = sink.string("salt track " + std::to_string(i))});
  }
  const uint32_t thread = sink.thread({.tid = 8, .pid = 7});
  const StringId key = sink.string("scope");
  sink.open_args();
  sink.arg(sink.arg_key({key, key}), ArgType::String, sink.string("value").row);
  const uint32_t dimensions = sink.close_args();
  const uint32_t parent = sink.track({.scope = TrackScope::Thread,
                                      .owner = thread,
                                      .type = sink.string("thread_execution"),
                                      .dimensions = dimensions});
  const uint32_t child = sink.track({.name = sink.string("child"), .parent = parent});
  sink.event({.ts = 1,
              .value = 0,
              .track = child,
              .name = sink.string("event"),
              .category = {},
              .args = kNone,
              .extra = kNone,
              .clock = 0,
              .kind = static_cast<uint8_t>(EventKind::Instant)});
  return batch;
}

TEST(Join, PiecesOfAFileShareNames) {
  const MachineId machines[] = {{0}};
  StringPool strings;
  NameJoiner joiner;
  EventBatch first = batch_of(0), second = batch_of(3);
  const JoinMap a = joiner.join(FileId{1}, machines, first, strings);
  const JoinMap b = joiner.join(FileId{1}, machines, second, strings);
  join_event(a, first.streams[0].events[0]);
  join_event(b, second.streams[0].events[0]);
  EXPECT_EQ(first.streams[0].events[0].track, second.streams[0].events[0].track);
  EXPECT_EQ(strings.get(second.streams[0].events[0].name), "event");

  const Names names = std::move(joiner).finish();
  const TrackName& child = names.tracks[first.streams[0].events[0].track];
  EXPECT_EQ(strings.get(child.name), "child");
  ASSERT_LT(child.parent, names.tracks.size());
  const TrackName& parent = names.tracks[child.parent];
  EXPECT_EQ(strings.get(parent.type), "thread_execution");
  EXPECT_EQ(names.threads[parent.owner].tid, 8);
  const ArgRow& dimension = names.args.rows[parent.dimensions];
  EXPECT_TRUE(dimension.last);
  EXPECT_EQ(strings.get({static_cast<uint32_t>(dimension.value)}), "value");
  EXPECT_EQ(strings.get(names.args.keys[dimension.key].key), "scope");
}

TEST(Join, FilesShareProcessesButNotTracks) {
  const MachineId machines[] = {{0}};
  StringPool strings;
  NameJoiner joiner;
  EventBatch first = batch_of(0), second = batch_of(0);
  const JoinMap a = joiner.join(FileId{1}, machines, first, strings);
  const JoinMap b = joiner.join(FileId{2}, machines, second, strings);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_NE(a.tracks, b.tracks);
}

TEST(Join, MachinesShareNothing) {
  const MachineId here[] = {{0}}, there[] = {{1}};
  StringPool strings;
  NameJoiner joiner;
  EventBatch first = batch_of(0), second = batch_of(0);
  const JoinMap a = joiner.join(FileId{1}, here, first, strings);
  const JoinMap b = joiner.join(FileId{1}, there, second, strings);
  EXPECT_NE(a.threads, b.threads);
}

TEST(Join, LoopsOfParentsAreCut) {
  const MachineId machines[] = {{0}};
  StringPool strings;
  NameJoiner joiner;
  EventBatch batch;
  for (uint32_t i = 0; i < 3; ++i) {
    TrackName name;
    name.cookie = i;
    name.parent = (i + 1) % 3;
    batch.tracks.push_back(name);
  }
  const JoinMap map = joiner.join(FileId{1}, machines, batch, strings);
  const Names names = std::move(joiner).finish();
  EXPECT_EQ(names.tracks.size(), 3U);
  EXPECT_EQ(std::ranges::count(names.tracks, kNone, &TrackName::parent), 1);
}

}  // namespace
}  // namespace tracebraid
