#include "generate/workload.h"

#include <algorithm>

namespace tracebraid::generate {
namespace {

std::string_view pick(Random& random, std::span<const std::string_view> words) {
  return words[random.below(static_cast<uint32_t>(words.size()))];
}

std::string numbered(std::string_view word, uint32_t number) {
  std::string name(word);
  if (number > 0) name += "-" + std::to_string(number + 1);
  return name;
}

}  // namespace

Workload::Workload(const WorkloadShape& shape, const Vocabulary& words)
    : shape_(shape), words_(words), random_(shape.seed) {
  int64_t id = shape.first_pid;
  for (uint32_t p = 0; p < shape.processes; ++p) {
    auto kinds = static_cast<uint32_t>(words.processes.size());
    processes_.push_back({id, numbered(words.processes[p % kinds], p / kinds)});
    for (uint32_t t = 0; t < shape.threads_each; ++t) {
      auto roles = static_cast<uint32_t>(words.threads.size());
      std::string name =
          t == 0 ? std::string("main") : numbered(words.threads[(t - 1) % roles], (t - 1) / roles);
      threads_.push_back({id + t, p, name});
    }
    id += shape.threads_each + 3;
  }
  open_.resize(threads_.size());
  on_cpu_.resize(threads_.size());
  asleep_.assign(threads_.size(), true);
  cpus_.resize(shape.cpus);

  actors_ = static_cast<uint32_t>(threads_.size());
  for (uint32_t i = shape.activity ? 0 : actors_; i < actors_ + shape.cpus; ++i)
    heap_.push_back({shape.start_ns + random_.spread(shape.typical_gap), i});
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

uint32_t Workload::add_thread(uint32_t process, std::string name) {
  int64_t tid = shape_.first_pid + 5000 + static_cast<int64_t>(threads_.size());
  threads_.push_back({tid, process, std::move(name)});
  open_.emplace_back();
  on_cpu_.push_back(false);
  asleep_.push_back(true);
  return static_cast<uint32_t>(threads_.size()) - 1;
}

WorkloadEvent Workload::next() {
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
  Actor& actor = heap_.back();
  WorkloadEvent event = actor.index < actors_ ? act(actor.index, actor.at)
                                              : schedule(actor.index - actors_, actor.at);
  actor.at += random_.spread(shape_.typical_gap);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  return event;
}

WorkloadEvent Workload::begin(uint32_t thread, int64_t at) {
  WorkloadEvent h{
      .what = What::Begin, .ts = at, .thread = thread, .process = threads_[thread].process};
  h.name = pick(random_, words_.slices);
  h.category = pick(random_, words_.categories);
  h.arg_count = random_.below(4);
  uint32_t first_key = random_.below(static_cast<uint32_t>(words_.keys.size()));
  for (uint32_t i = 0; i < h.arg_count; ++i) {
    h.args[i].key = words_.keys[(first_key + i) % words_.keys.size()];
    if (random_.one_in(3))
      h.args[i].text = pick(random_, words_.texts);
    else
      h.args[i].number = random_.below(100'000);
  }
  if (!arrows_.empty() && random_.one_in(12)) {
    h.flow_in = arrows_.front().id;
    h.flow_in_ts = arrows_.front().ts;
    arrows_.erase(arrows_.begin());
  } else if (arrows_.size() < 8 && random_.one_in(24)) {
    h.flow_out = next_flow_++;
    arrows_.push_back({h.flow_out, at});
  }
  h.begin_ts = at;
  open_[thread].push_back(h);
  return h;
}

WorkloadEvent Workload::act(uint32_t thread, int64_t at) {
  std::vector<WorkloadEvent>& open = open_[thread];
  uint32_t dice = random_.below(64);
  if (dice == 0)
    return {.what = What::Instant,
            .ts = at,
            .thread = thread,
            .name = pick(random_, words_.slices),
            .category = pick(random_, words_.categories)};
  if (dice == 1)
    return {.what = What::Counter,
            .ts = at,
            .thread = thread,
            .process = threads_[thread].process,
            .name = pick(random_, words_.counters),
            .value = random_.below(1'000'000)};
  if (open.empty() || (open.size() < shape_.max_depth && dice < 32)) return begin(thread, at);
  WorkloadEvent h = open.back();
  open.pop_back();
  h.what = What::End;
  h.ts = at;
  return h;
}

uint32_t Workload::choose_thread() {
  if (random_.one_in(6)) return kIdle;
  uint32_t thread = random_.below(static_cast<uint32_t>(threads_.size()));
  return on_cpu_[thread] ? kIdle : thread;
}

// A CPU wakes the next thread and switches to it shortly after.
WorkloadEvent Workload::schedule(uint32_t index, int64_t at) {
  Cpu& cpu = cpus_[index];
  if (!cpu.waking_sent) {
    cpu.chosen = choose_thread();
    if (cpu.chosen != kIdle) on_cpu_[cpu.chosen] = true;  // excludes it from other CPUs
    cpu.waking_sent = true;
    if (cpu.chosen != kIdle && asleep_[cpu.chosen]) {
      asleep_[cpu.chosen] = false;
      return {.what = What::Waking, .ts = at, .cpu = index, .next = cpu.chosen};
    }
  }
  WorkloadEvent h{.what = What::Switch, .ts = at, .cpu = index, .prev = cpu.running};
  h.next = cpu.chosen;
  h.prev_runnable = random_.one_in(4);
  if (cpu.running != kIdle) {
    on_cpu_[cpu.running] = false;
    asleep_[cpu.running] = !h.prev_runnable;
  }
  cpu.running = cpu.chosen;
  cpu.waking_sent = false;
  return h;
}

}  // namespace tracebraid::generate
