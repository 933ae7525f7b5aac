// Two recorders of one kernel: one notes wakings, the other one task switches; with the true times.
#include "merge/align/wakeups.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "merge/align/call_world.h"

namespace tracebraid::located_files {
namespace {

constexpr int kCpus = 4;

struct Sleepers {
  int threads = 60, count = 2000;
  double lost = 0;    // wakings that the recorder lost
  double period = 0;  // at which all threads are woken in turn, ns; 0: at any times
  bool are_compact = false;
};

// Adds a task switch; `sleeps`: the previous thread.
void add_switch(File& file, uint32_t cpu, int64_t prev, int64_t next, bool sleeps, int64_t at) {
  file.switched(cpu, next, at);
  SwitchExtra& extra = file.batch.switches.back();
  extra.prev_tid = prev;
  extra.prev_state = sleeps ? 1 : 0;
}

void add_waking(File& file, int64_t tid, int64_t at) {
  file.event("waking", at);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::SchedWaking);
  event.value = tid;
  event.extra = static_cast<uint32_t>(batch.wakings.size());
  batch.wakings.push_back({});
}

// Threads sleep, are woken and run for a while on a CPU; the second file has the wakings. `only`:
// of that file; 2: of both.
void add_sleepers(CallWorld& world, const Sleepers& sleepers, WorldRandom& random,
                  size_t only = 2) {
  struct Switch {
    double at;
    int64_t prev, next;
    bool sleeps;
  };
  std::vector<std::pair<double, int64_t>> wakings;
  std::vector<Switch> switches[kCpus];
  std::vector<double> free_at(static_cast<size_t>(sleepers.threads));  // by thread
  double cpu_free[kCpus] = {};
  for (int i = 0; i < sleepers.count; ++i) {
    const double at = sleepers.period > 0 ? sleepers.period * i
                                          : world.span * (i + draw(random, 0, 1)) / sleepers.count;
    const size_t thread =
        sleepers.period > 0 ? static_cast<size_t>(i % sleepers.threads) : random() % free_at.size();
    const size_t cpu = static_cast<size_t>(i) % kCpus;
    if (at <= free_at[thread] || at <= cpu_free[cpu]) continue;
    const auto tid = static_cast<int64_t>(1000 + thread);
    // Often a thread sleeps for a short time only.
    double woken = at;
    for (int runs = sleepers.period > 0 || random() % 2 == 0 ? 1 : 2; runs > 0; --runs) {
      const double ran = woken + world.takes(0, random), slept = ran + draw(random, 5e3, 300e3);
      wakings.emplace_back(woken, tid);
      switches[cpu].push_back({ran, 0, tid, false});
      switches[cpu].push_back({slept, tid, 0, true});
      cpu_free[cpu] = slept;
      free_at[thread] = slept + world.least_back;
      woken = slept + world.takes(1, random);
    }
  }
  std::ranges::sort(wakings);
  for (const auto& [at, tid] : wakings)
    if (only != 0 && draw(random, 0, 1) >= sleepers.lost)
      add_waking(world.files[1], tid, world.clocks[1].at(at));
  std::map<double, std::pair<uint32_t, Switch>> in_order;
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu)
    for (const Switch& each : switches[cpu]) in_order[each.at] = {cpu, each};
  for (const auto& [at, of] : in_order)
    if (only != 1)
      add_switch(world.files[0], of.first, of.second.prev, of.second.next, of.second.sleeps,
                 world.clocks[0].at(at));
}

CallWorld draw_sleepers(WorldRandom& random) { return draw_calls(random, 2e3, 40e3, 10e3); }

TEST(CallWorlds, WakeupsByAnotherRecorder) {
  WorldTable table("wakeups: wakings and switches by two recorders, up to 10 % lost");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    add_sleepers(world, {.lost = draw(random, 0, 0.1)}, random);
    world.finish();
    // A waking whose run one file lost is paired with the next one.
    expect_calls(world, "wakeups", 100e3, 150e3, seed, table, 0.01);
  }
}

TEST(Wakeups, OfWholeRecordingsAreInOrder) {
  WorldTable table("wakeups: nothing lost");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    add_sleepers(world, {.lost = 0}, random);
    world.finish();
    expect_calls(world, "wakeups", 100e3, 150e3, seed, table);
  }
}

TEST(CallWorlds, WakeupsAtRegularTimesAreRefused) {
  WorldTable table("wakeups: all threads in turn at equal intervals");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    add_sleepers(world, {.threads = 8, .period = draw(random, 1.5e6, 4e6)}, random);
    EXPECT_EQ(refused_calls(world.files), "wakeups:refused:aliased") << seed;
    table.add_refused("aliased");
  }
}

TEST(CallWorlds, WakeupsOfAnotherRunAreRefused) {
  WorldTable table("wakeups: another run with the same threads");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    add_sleepers(world, {}, random, 0);
    add_sleepers(world, {}, random, 1);
    expect_refused(world, "wakeups", seed, table, true);
  }
}

struct BinderCalls {
  int count = 400;
  double period = 0;
  bool has_threads = true;
};

void add_binder(CallWorld& world, const BinderCalls& calls, WorldRandom& random, size_t only = 2) {
  std::vector<double> times;
  for (int i = 0; i < calls.count; ++i)
    times.push_back(calls.period > 0 ? calls.period * i : draw(random, 0, world.span));
  std::ranges::sort(times);
  for (size_t i = 0; i < times.size(); ++i) {
    const size_t from = random() % 2, to = 1 - from;
    const int64_t id = 5000 + static_cast<int64_t>(i), thread = 300 + static_cast<int64_t>(i % 7);
    const auto add = [&](size_t file, std::string_view name, double at, int64_t tid,
                         const std::vector<CallArg>& args) {
      if (only != 2 && only != file) return;
      const int64_t reading = world.clocks[file].at(at);
      add_call(world.files[file], name, reading, reading, args, EventKind::FtraceEvent);
      world.files[file].batch.streams[0].events.back().value = tid;
    };
    const int64_t to_thread = calls.has_threads ? thread : 0;
    add(from, "binder_transaction", times[i], 77,
        {{"debug_id", id}, {"to_thread", to_thread}, {"reply", int64_t{1}}});
    add(to, "binder_transaction_received", times[i] + world.takes(from, random), thread,
        {{"debug_id", id}});
  }
}

TEST(CallWorlds, WakeupsOfBinder) {
  WorldTable table("wakeups: calls of binder by two recorders");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    add_binder(world, {}, random);
    world.finish();
    expect_calls(world, "wakeups", 10e3, 20e3, seed, table);
  }
}

TEST(CallWorlds, WakeupsOfBinderInAnotherRunAreRefused) {
  WorldTable table("wakeups: calls of binder after another boot");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_sleepers(random);
    const BinderCalls calls{.period = seed % 2 == 0 ? draw(random, 1e6, 50e6) : 0};
    WorldRandom other = random;  // the same directions
    if (calls.period == 0) other.seed(seed + 1000);
    add_binder(world, calls, random, 0);
    add_binder(world, calls, other, 1);
    expect_refused(world, "wakeups", seed, table);
  }
}

TEST(Wakeups, OfOtherMachinesOrWithoutThreadsMatchNothing) {
  WorldRandom random(1);
  CallWorld world = draw_sleepers(random);
  add_sleepers(world, {}, random);
  add_binder(world, {}, random);
  EXPECT_EQ(verdict_of_file(locate_files(world.files), 1), "wakeups:used:");
  const Outcome other = locate_files(world.files, R"("files": [
      {"path": "a.json", "machine": {"name": "x"}}, {"path": "b.json", "machine": {"name": "y"}}])");
  EXPECT_EQ(other.error, "");
  EXPECT_EQ(verdict_of_file(other, 1), "none");
  CallWorld without = draw_sleepers(random);
  add_binder(without, {.has_threads = false}, random);
  EXPECT_EQ(verdict_of_file(locate_files(without.files), 1), "none");
}

}  // namespace
}  // namespace tracebraid::located_files
