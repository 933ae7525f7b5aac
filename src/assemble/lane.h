// Lane: work that nobody waits for, as blocks of words, done in the order in which it was asked
// for by whichever thread has time. Several lanes are done side by side.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <vector>

namespace tracebraid {

class LaneSet;

class Lane {
 public:
  struct Block {
    std::unique_ptr<uint64_t[]> words;  // kBlockWords
    size_t size = 0;
    bool is_marked = false;

    const uint64_t* begin() const { return words.get(); }
    const uint64_t* end() const { return words.get() + size; }
  };
  static constexpr size_t kBlockWords = 8192;

  // `run` does one block.
  explicit Lane(std::function<void(const Block&)> run) : run_(std::move(run)) {}

  // By the thread that asks:

  // Where a task of so many words goes; a task is in one block.
  uint64_t* begin_task(size_t words) {
    if (filling_.size + words > kBlockWords) send();
    if (!filling_.words) filling_.words = std::make_unique_for_overwrite<uint64_t[]>(kBlockWords);
    uint64_t* const at = &filling_.words[filling_.size];
    filling_.size += words;
    return at;
  }
  // The block of the last task, for who runs it.
  void mark() { filling_.is_marked = true; }
  // Afterwards all that was asked for is done.
  void finish() {
    if (filling_.size > 0 || waiting_.load(std::memory_order_acquire) != 0) finish_all();
  }

  // Another thread helps: `on_more` is called when there is something for help(). When too much
  // waits while that thread is at it, this one does what waits in the others of `lanes`.
  void begin_help(std::function<void()> on_more, const LaneSet* lanes) {
    on_more_ = std::move(on_more);
    lanes_ = lanes;
  }
  void end_help() {
    on_more_ = nullptr;
    lanes_ = nullptr;
  }

  // By any thread: a part of the work, unless another thread is at it. Whether more of it waits.
  bool help();

 private:
  // Blocks. A thread that sleeps takes longer to wake up than to do one.
  static constexpr size_t kMaxWaiting = 32;
  static constexpr size_t kWorthWaking = 4;
  static constexpr size_t kAtOnce = 4;

  void send();
  void finish_all();
  void do_until_wait(size_t most);
  bool do_one();

  std::function<void(const Block&)> run_;
  Block filling_;
  std::function<void()> on_more_;
  const LaneSet* lanes_ = nullptr;

  std::atomic<size_t> waiting_ = 0;  // blocks that are not done
  std::mutex blocks_mutex_;
  std::deque<Block> blocks_;
  std::vector<Block> done_;  // to be used again
  std::mutex doing_;         // held by who does a block
};

// Lanes, for another thread that helps with all of them.
class LaneSet {
 public:
  LaneSet(std::initializer_list<Lane*> lanes) : lanes_(lanes) {}
  LaneSet(const LaneSet&) = delete;  // while it is helped, lanes know where it is
  LaneSet& operator=(const LaneSet&) = delete;

  void begin_help(const std::function<void()>& on_more) {
    for (Lane* lane : lanes_) lane->begin_help(on_more, this);
  }
  void end_help() {
    for (Lane* lane : lanes_) lane->end_help();
  }
  // A part of the work of each, but for `without`. Whether more of it waits.
  bool help(const Lane* without = nullptr) const {
    bool is_more = false;
    for (Lane* lane : lanes_)
      if (lane != without) is_more |= lane->help();
    return is_more;
  }

 private:
  std::vector<Lane*> lanes_;
};

}  // namespace tracebraid
