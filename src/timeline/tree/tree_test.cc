#include "timeline/tree/tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tracebraid::timeline {
namespace {

// A machine with processes that a scheduler names, and one that has a track of a file.
struct MadeTree {
  Store store;
  std::vector<TreeTrack> tracks;

  explicit MadeTree(uint32_t quiet) {
    store.machines.raw_id.append(0);
    store.machines.name.append(store.strings.intern("host"));
    for (uint32_t upid = 0; upid <= quiet; ++upid) {
      store.processes.pid.append(100 + upid);
      store.processes.name.append(store.strings.intern("process " + std::to_string(upid)));
      store.processes.cmdline.append(StringId());
      store.processes.arg_set_id.append({});
      store.processes.machine_id.append(0);
      tracks.push_back({.table = TableKind::ThreadState, .machine = {0}, .upid = {upid}});
    }
    tracks[0].table = TableKind::Slice;
    tracks[0].file = {0};
  }
  void place(std::string_view rule, OptInt uncertainty) {
    store.placements.trace_id.append({0});
    store.placements.machine_id.append({0});
    store.placements.clock_id.append({});
    store.placements.rule.append(store.strings.intern(rule));
    store.placements.path.append(StringId());
    store.placements.uncertainty_ns.append(uncertainty);
    store.placements.placed.append(1);
  }
  Tree make() const { return make_tree(store, tracks, Grouping::MachineFile, 1000); }
};

std::vector<std::string> titles_below(const Tree& tree, std::string_view title) {
  std::vector<std::string> titles;
  for (const TreeNode& node : tree.nodes)
    if (node.parent != kNoNode && tree.nodes[node.parent].title == title)
      titles.push_back(node.title);
  return titles;
}

TEST(Tree, ManyProcessesWithoutTracksOfAFileAreBelowOneGroup) {
  const Tree tree = MadeTree(20).make();
  const std::vector<std::string> top = titles_below(tree, "host");
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0], "process 0 (pid 100)");
  EXPECT_EQ(top[1], "Other processes");
  EXPECT_EQ(titles_below(tree, "Other processes").size(), 20U);
}

TEST(Tree, EqualTracksHaveKeysWithACount) {
  MadeTree made(0);
  for (size_t i = 0; i < 50'000; ++i) {
    const TreeTrack copy = made.tracks.front();
    made.tracks.push_back(copy);
  }
  const Tree tree = made.make();
  ASSERT_EQ(tree.by_key.size(), tree.nodes.size());
  std::vector<std::string> keys;
  for (const TreeNode& node : tree.nodes)
    if (node.type == NodeType::Track) keys.push_back(node.key);
  ASSERT_EQ(keys.size(), made.tracks.size());
  for (size_t i = 1; i < keys.size(); ++i)
    EXPECT_EQ(keys[i], keys[0] + "~" + std::to_string(i + 1));
}

TEST(Tree, FewProcessesWithoutTracksAreBelowTheirMachine) {
  EXPECT_EQ(titles_below(MadeTree(3).make(), "host").size(), 4U);
}

TEST(Tree, ProcessesOfASchedulerAloneAreBelowTheirMachine) {
  MadeTree made(20);
  made.tracks[0].file = {};
  EXPECT_EQ(titles_below(made.make(), "host").size(), 21U);
}

TEST(Tree, TracksAreInTheOrderOfTheirNumbers) {
  MadeTree made(0);
  made.tracks.clear();
  for (const char* const title : {"CPU 10", "CPU 2", "CPU 1"})
    made.tracks.push_back({.table = TableKind::Slice, .machine = {0}, .title = title});
  EXPECT_EQ(titles_below(made.make(), "host"),
            (std::vector<std::string>{"CPU 1", "CPU 2", "CPU 10", "process 0 (pid 100)"}));
}

TEST(Tree, FilesAreInTheOrderOfTheirNumbers) {
  MadeTree made(0);
  made.tracks.clear();
  for (const char* const path : {"run/rank10.json", "run/rank2.json", "other/rank1.json"}) {
    made.tracks.push_back({.table = TableKind::Slice,
                           .machine = {0},
                           .file = {static_cast<uint32_t>(made.tracks.size())},
                           .title = "track"});
    made.store.files.path.append(made.store.strings.intern(path));
  }
  EXPECT_EQ(
      titles_below(made.make(), "host"),
      (std::vector<std::string>{"rank1.json", "rank2.json", "rank10.json", "process 0 (pid 100)"}));
}

TEST(Tree, EventsWithoutAClockDoNotChangeTheBound) {
  MadeTree made(1);
  made.place("is_timeline", {0});
  made.place("without_time", {OptInt::kNull});
  EXPECT_EQ(bound_of(made.store, {0}, {0}).kind, TimeBound::Kind::Exact);
  made.place("guessed", {OptInt::kNull});
  EXPECT_EQ(bound_of(made.store, {0}, {0}).kind, TimeBound::Kind::None);
}

}  // namespace
}  // namespace tracebraid::timeline
