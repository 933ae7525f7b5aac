// Workload: a synthetic machine and an endless stream of its events in order of time. The
// writers turn the same events into different formats.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generate/random.h"

namespace tracebraid::generate {

struct Thread {
  int64_t tid;
  uint32_t process;  // index of Workload::processes()
  std::string name;
};
struct Process {
  int64_t pid;
  std::string name;
};

enum class What : uint8_t { Begin, End, Instant, Counter, Waking, Switch };

// An argument of a slice: `text` if set, else a number.
struct WorkloadArg {
  std::string_view key;
  std::string_view text;
  int64_t number = 0;
};

// `what` determines which fields are used.
struct WorkloadEvent {
  What what;
  uint32_t arg_count = 0;
  int64_t ts = 0;        // ns of the machine's BOOTTIME
  uint32_t thread = 0;   // index of its thread; not for Switch and Waking
  uint32_t process = 0;  // Counter: index of its process
  std::string_view name, category;
  int64_t begin_ts = 0;                // End: time of its Begin
  std::array<WorkloadArg, 3> args;     // Begin; End repeats those of its Begin
  uint64_t flow_out = 0, flow_in = 0;  // Begin, End: 0 is none
  int64_t flow_in_ts = 0;              // start of the incoming flow
  int64_t value = 0;                   // Counter
  // Waking, Switch. Threads are indexes; kIdle is the idle thread.
  uint32_t cpu = 0, prev = 0, next = 0;
  bool prev_runnable = false;  // preempted, not asleep
};
inline constexpr uint32_t kIdle = ~uint32_t{0};

// The names of one kind of program.
struct Vocabulary {
  std::span<const std::string_view> processes, threads, slices, categories, counters, texts, keys;
};
const Vocabulary& browser_words();
const Vocabulary& phone_words();
const Vocabulary& watch_words();

struct WorkloadShape {
  uint64_t seed = 1;
  int64_t start_ns = 0;
  uint32_t processes = 4, threads_each = 6;
  uint32_t cpus = 0;             // 0: no scheduling
  bool activity = true;          // slices and counters
  int64_t typical_gap = 20'000;  // ns between the events of one thread
  uint32_t max_depth = 8;
  int64_t first_pid = 1000;
};

class Workload {
 public:
  Workload(const WorkloadShape& shape, const Vocabulary& words);

  WorkloadEvent next();

  // A thread without activity of its own, for scripts.
  uint32_t add_thread(uint32_t process, std::string name);

  std::span<const Process> processes() const { return processes_; }
  std::span<const Thread> threads() const { return threads_; }
  uint32_t cpus() const { return shape_.cpus; }
  const Vocabulary& words() const { return words_; }

 private:
  struct Actor {  // a thread or a CPU that acts by itself
    int64_t at;
    uint32_t index;  // acting threads first, then CPUs
    bool operator>(const Actor& other) const {
      return at != other.at ? at > other.at : index > other.index;
    }
  };
  struct Cpu {
    uint32_t running = kIdle, chosen = kIdle;
    bool waking_sent = false;
  };
  struct Arrow {
    uint64_t id;
    int64_t ts;
  };

  WorkloadEvent act(uint32_t thread, int64_t at);
  WorkloadEvent begin(uint32_t thread, int64_t at);
  WorkloadEvent schedule(uint32_t cpu, int64_t at);
  uint32_t choose_thread();

  WorkloadShape shape_;
  const Vocabulary& words_;
  Random random_;
  std::vector<Process> processes_;
  std::vector<Thread> threads_;
  std::vector<std::vector<WorkloadEvent>> open_;  // by thread: its stack of begun slices
  std::vector<Cpu> cpus_;
  std::vector<bool> on_cpu_, asleep_;  // by thread
  uint32_t actors_ = 0;                // threads that act by themselves
  std::vector<Actor> heap_;
  std::vector<Arrow> arrows_;  // flows without an end yet
  uint64_t next_flow_ = 1;
};

}  // namespace tracebraid::generate
