#include "base/signal_mask.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/workers.h"

namespace tracebraid {
namespace {

bool is_blocked(int signal) {
  sigset_t set;
  pthread_sigmask(SIG_BLOCK, nullptr, &set);
  return sigismember(&set, signal) == 1;
}

std::atomic<int> pipe_signals{0};

// Counts the SIGPIPE signals that reach this process.
class PipeSignals : public testing::Test {
 protected:
  void SetUp() override {
    pipe_signals = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { ++pipe_signals; };
    sigaction(SIGPIPE, &action, &before_);
    ASSERT_EQ(::pipe(ends_), 0);
    ::close(ends_[0]);
  }
  void TearDown() override {
    ::close(ends_[1]);
    sigaction(SIGPIPE, &before_, nullptr);
  }
  bool write_fails_with_epipe() const { return ::write(ends_[1], "x", 1) < 0 && errno == EPIPE; }

  struct sigaction before_{};
  int ends_[2] = {};
};

TEST_F(PipeSignals, AreTakenBackAfterAWrite) {
  {
    const BlockedPipeSignal blocked;
    EXPECT_TRUE(is_blocked(SIGPIPE));
    EXPECT_TRUE(write_fails_with_epipe());
    EXPECT_TRUE(write_fails_with_epipe());
  }
  EXPECT_EQ(pipe_signals, 0);
  EXPECT_FALSE(is_blocked(SIGPIPE));
  EXPECT_TRUE(write_fails_with_epipe());
  EXPECT_EQ(pipe_signals, 1) << "the signal is the host's again";
}

TEST_F(PipeSignals, ThatWerePendingBeforeStayPending) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  EXPECT_TRUE(write_fails_with_epipe());
  {
    const BlockedPipeSignal blocked;
    EXPECT_TRUE(write_fails_with_epipe());
  }
  EXPECT_EQ(pipe_signals, 0);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  EXPECT_EQ(pipe_signals, 1);
}

TEST(BlockedSignals, ThreadsOfTheLibraryBlockWhatTheyDoNotCause) {
  std::atomic<bool> on_thread = false;
  {
    Workers workers(2);
    TaskGroup group(workers);
    const pthread_t caller = pthread_self();
    // Waits until the other thread has received a signal.
    for (int i = 0; i < 100'000 && !on_thread; ++i) {
      group.add([&] {
        if (pthread_equal(pthread_self(), caller) != 0) return;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGCHLD, SIGPIPE})
          EXPECT_TRUE(is_blocked(signal)) << signal;
        EXPECT_FALSE(is_blocked(SIGBUS)) << "the host's handler is for its own fault";
        on_thread = true;
      });
      ::usleep(10);
    }
    group.wait();
  }
  EXPECT_TRUE(on_thread);
  EXPECT_FALSE(is_blocked(SIGINT)) << "the thread of the caller";
}

}  // namespace
}  // namespace tracebraid
