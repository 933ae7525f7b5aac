#include "assemble/identity/identity.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "assemble/stats.h"
#include "event/event_kind.h"
#include "event/sink.h"

namespace tracebraid {
namespace {

// Names are added first; identity() then makes the tracker for them.
class IdentityTest : public testing::Test {
 protected:
  uint32_t thread(int64_t pid, int64_t tid, uint64_t life = 0) {
    return sink_.thread({.tid = tid, .pid = pid, .life = life});
  }
  uint32_t process(int64_t pid, uint64_t life = 0) {
    return sink_.process({.pid = pid, .life = life});
  }
  Identity& identity() {
    if (!identity_) {
      names_ = {batch_.processes, batch_.threads, {}, {}};
      store_.machines.raw_id.append(0);
      const bool zero_is_idle[] = {true};
      identity_ = std::make_unique<Identity>(names_, zero_is_idle, store_, problems_);
    }
    return *identity_;
  }
  StringId text(std::string_view name) { return store_.strings.intern(name); }
  // Returns "tid:upid " by utid.
  std::string threads() const {
    std::string all;
    for (size_t i = 0; i < store_.threads.rows(); ++i) {
      const uint32_t upid = store_.threads.upid[i].row;
      all += std::to_string(store_.threads.tid[i]) + ':' +
             (upid == OptRow::kNull ? "-" : std::to_string(upid)) + ' ';
    }
    return all;
  }
  std::string name_of(StringId id) const { return id ? std::string(store_.strings.get(id)) : "-"; }

  EventBatch batch_;
  EventSink sink_{batch_};
  Names names_;
  Store store_;
  Problems problems_;
  std::unique_ptr<Identity> identity_;
};

TEST_F(IdentityTest, IdleRowsAreThereFromTheStart) {
  Identity& who = identity();
  EXPECT_EQ(threads(), "0:0 ");
  EXPECT_EQ(who.thread_of(0, 0), 0U);
  EXPECT_EQ(name_of(store_.threads.name[0]), "swapper");
  who.name_thread(0, text("other"), kThreadNameFromSched);
  EXPECT_EQ(name_of(store_.threads.name[0]), "swapper");
  EXPECT_EQ(store_.threads.is_idle[0], 1);
}

TEST_F(IdentityTest, AProcessBringsItsMainThread) {
  const uint32_t worker = thread(5, 6);
  EXPECT_EQ(identity().thread(worker), 2U);
  EXPECT_EQ(threads(), "0:0 5:1 6:1 ");
  EXPECT_EQ(store_.threads.is_main_thread[1].value, 1);
  EXPECT_EQ(store_.threads.is_main_thread[2].value, 0);
}

TEST_F(IdentityTest, AThreadIsAdoptedWhenItsProcessIsNamed) {
  const uint32_t alone = thread(kNoId, 7);
  const uint32_t named = thread(3, 7);
  const uint32_t main = process(7);
  Identity& who = identity();
  EXPECT_EQ(who.thread(alone), 1U);
  EXPECT_EQ(store_.threads.is_main_thread[1].value, OptInt::kNull);
  EXPECT_EQ(who.thread(named), 1U);
  EXPECT_EQ(threads(), "0:0 7:1 3:1 ");
  who.process(main);  // its main thread is another thread 7
  EXPECT_EQ(threads(), "0:0 7:1 3:1 7:2 ");
}

TEST_F(IdentityTest, AnotherProcessOfATidIsAnotherThread) {
  const uint32_t first = thread(1, 9);
  const uint32_t second = thread(2, 9);
  const uint32_t any = thread(kNoId, 9);
  Identity& who = identity();
  const uint32_t a = who.thread(first);
  const uint32_t b = who.thread(second);
  EXPECT_NE(a, b);
  EXPECT_EQ(who.thread(any), b);  // the last referenced one
  EXPECT_EQ(who.thread(first), a);
  EXPECT_EQ(who.thread(any), a);
  EXPECT_EQ(who.thread(second), b);
}

TEST_F(IdentityTest, LivesOfAFileAreThreadsOfTheirOwn) {
  const uint32_t one = thread(5, 6, 1);
  const uint32_t two = thread(5, 6, 2);
  const uint32_t first = process(8, 3);
  const uint32_t second = process(8, 4);
  Identity& who = identity();
  EXPECT_EQ(who.thread(one), 2U);
  EXPECT_EQ(who.thread(two), 3U);
  EXPECT_EQ(who.thread(one), 2U);
  EXPECT_EQ(threads(), "0:0 5:1 6:1 6:1 ");
  EXPECT_EQ(who.process(first), 2U);
  EXPECT_EQ(who.process(second), 3U);
  EXPECT_EQ(threads(), "0:0 5:1 6:1 6:1 8:2 8:3 ");
}

TEST_F(IdentityTest, AnEndedThreadIsNotMeantAgain) {
  const uint32_t worker = thread(90, 91);
  const uint32_t any_worker = thread(kNoId, 91);
  const uint32_t any_main = thread(kNoId, 90);
  const uint32_t never = thread(kNoId, 95);
  Identity& who = identity();
  who.thread(worker);
  who.end_thread(any_worker, 10);
  EXPECT_EQ(store_.threads.end_ts[2].value, 10);
  who.end_thread(any_main, 20);
  EXPECT_EQ(store_.processes.end_ts[1].value, 20);
  who.end_thread(never, 30);
  EXPECT_EQ(threads(), "0:0 90:1 91:1 ");
  EXPECT_EQ(who.thread(any_main), 3U);
  EXPECT_EQ(threads(), "0:0 90:1 91:1 90:- ");
}

TEST_F(IdentityTest, AReusedPidIsAnotherProcess) {
  const uint32_t pid = process(4);
  const uint32_t worker = thread(4, 5);
  Identity& who = identity();
  const uint32_t old_upid = who.process(pid);
  const uint32_t old_utid = who.thread(worker);
  who.start_process(pid, text("again"), 50);
  EXPECT_NE(who.process(pid), old_upid);
  EXPECT_NE(who.thread(worker), old_utid);
  EXPECT_EQ(store_.processes.start_ts[who.process(pid)].value, 50);
  EXPECT_EQ(name_of(store_.processes.name[who.process(pid)]), "again");
}

TEST_F(IdentityTest, NewTasksWaitForTheProcessOfTheirParent) {
  const uint32_t parent = thread(kNoId, 80);
  const uint32_t pid = process(80);
  Identity& who = identity();
  Event task{};
  task.kind = static_cast<uint32_t>(EventKind::NewTask);
  task.track = parent;
  task.ts = 10;
  task.value = 81;
  task.name = text("child");
  task.extra = 0;
  who.new_task(task);
  task.value = 82;
  task.extra = 1;
  who.new_task(task);
  EXPECT_EQ(threads(), "0:0 80:- 81:1 82:- ");
  EXPECT_EQ(store_.processes.parent_upid[1].row, OptRow::kNull);
  const uint32_t upid = who.process(pid);
  EXPECT_EQ(threads(), "0:0 80:2 81:1 82:2 ");
  EXPECT_EQ(store_.processes.parent_upid[1].row, upid);
}

// Each thread waits for the one before it: the number of threads must not cost stack.
TEST_F(IdentityTest, LongChainsOfWaitingThreadsAreTold) {
  constexpr int64_t kThreads = 200'000;
  std::vector<uint32_t> named;
  for (int64_t i = 1; i <= kThreads; ++i) named.push_back(thread(kNoId, i));
  const uint32_t pid = process(1);
  Identity& who = identity();
  for (int64_t i = 1; i < kThreads; ++i) {
    Event task{};
    task.track = named[static_cast<size_t>(i - 1)];
    task.value = i + 1;
    task.extra = 1;
    who.new_task(task);
  }
  const uint32_t upid = who.process(pid);
  EXPECT_EQ(store_.threads.upid[who.thread_of(0, kThreads)].row, upid);
}

TEST_F(IdentityTest, TheBetterNameStays) {
  const uint32_t t = thread(1, 1);
  const uint32_t utid = identity().thread(t);
  identity().name_thread(utid, text("tree"), 2);
  identity().name_thread(utid, text("sched"), 1);
  EXPECT_EQ(name_of(store_.threads.name[utid]), "tree");
  identity().name_thread(utid, text("tree2"), 2);
  EXPECT_EQ(name_of(store_.threads.name[utid]), "tree2");
}

TEST_F(IdentityTest, AProcessKeepsItsFirstParent) {
  const uint32_t child = process(10);
  const uint32_t one = process(1);
  const uint32_t two = process(2);
  Identity& who = identity();
  who.set_parent(child, one, FileId{0});
  who.set_parent(child, one, FileId{0});
  who.set_parent(child, two, FileId{0});
  EXPECT_EQ(store_.processes.parent_upid[who.process(child)].row, who.process(one));
  const AssembleReport report = std::move(problems_).finish();
  ASSERT_EQ(report.stats.size(), 1U);
  EXPECT_EQ(report.stats[0].stat, stats::process_tracker_parent_pid_changed);
  EXPECT_EQ(report.stats[0].value, 1);
}

}  // namespace
}  // namespace tracebraid
