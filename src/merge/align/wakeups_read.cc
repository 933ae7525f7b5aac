// Reads wakings, task switches and calls of binder.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "event/sched_events.h"
#include "merge/align/call_args.h"
#include "merge/align/wakeups.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostWakeups = 1 << 18;      // of a recording
constexpr int64_t kSleepStates = 1 | 2;       // interruptible and uninterruptible sleep
constexpr size_t kMostBinderCalls = 1 << 20;  // of a file

enum BinderField : uint8_t { kBinderId, kBinderThread, kBinderFields };
constexpr ArgName kBinderNames[] = {{"debugid", kBinderId}, {"tothread", kBinderThread}};

bool has_switches(const EventBatch& batch) {
  return !batch.switches.empty() ||
         std::ranges::any_of(batch.sched_facts, [](const SchedFact& f) { return !f.is_waking; });
}
bool has_wakings(const EventBatch& batch) {
  return !batch.wakings.empty() || std::ranges::any_of(batch.sched_facts, &SchedFact::is_waking);
}

// What the files have: runs count only if another file has wakings and no switches.
struct WakeupFiles {
  std::vector<size_t> with_wakings, with_switches;
  bool is_waker(size_t file) const {
    return std::ranges::binary_search(with_wakings, file) &&
           !std::ranges::binary_search(with_switches, file);
  }
};

class WakeupReader {
 public:
  WakeupReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
               bool is_waker, bool needs_runs, Wakeups& all)
      : batches_(batches),
        first_(first),
        is_waker_(is_waker),
        needs_runs_(needs_runs),
        all_(all),
        recordings_(file.file, all.recordings) {}

  void read() {
    const size_t before = all_.calls.size(), wakings = all_.wakings.size();
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    keep_some(before, kMostBinderCalls, [](const FlowMoment& m) { return m.key; }, all_.calls);
    take_wakings(wakings);
    take_runs();
  }

 private:
  struct Switch {
    uint32_t recording, cpu;
    int64_t at, prev_tid, next_tid;
    bool sleeps;  // the previous thread
  };

  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    args_.begin(*batch_);
    const bool has_binder = args_.has(kBinderId);
    const bool has_wakeups =
        (is_waker_ && has_wakings(*batch_)) || (needs_runs_ && has_switches(*batch_));
    if (!has_binder && !has_wakeups) return;
    recordings_.begin(index, batch);
    for (const Stream& stream : batch_->streams)
      for_each_event(*batch_, stream, [&](const Event& event) { read_event(event); });
  }

  void read_event(const Event& event) {
    switch (event.what()) {
      case EventKind::SchedWaking:
        if (is_waker_) add_waking(event, event.value, batch_->wakings[event.extra].may_repeat);
        return;
      case EventKind::SchedWakingCompact:
        if (is_waker_) add_waking(event, CompactWaking::unpack(event.value).tid, false);
        return;
      case EventKind::SchedSwitch:
        if (needs_runs_) add_switch(event);
        return;
      case EventKind::SchedSwitchCompact:
        if (needs_runs_)
          add_switch(event, kNoId, static_cast<int32_t>(event.args),
                     (event.value & kSleepStates) != 0);
        return;
      case EventKind::FtraceEvent:
      case EventKind::FtraceMeaning:
        return read_binder(event);
      default:
        return;
    }
  }

  // Returns kNone without a reading.
  uint32_t recording_of(const Event& event, int64_t& at) {
    const auto reading = reading_ns(*batch_, event);
    if (!reading) return kNone;
    at = *reading;
    return recordings_.of(event.clock);
  }

  // The events sched_wakeup and sched_wakeup_new may repeat a waking.
  void add_waking(const Event& event, int64_t tid, bool may_repeat) {
    if (tid == 0 || (may_repeat && has_sure_wakings_)) return;
    Waking waking{.tid = tid};
    waking.recording = recording_of(event, waking.at);
    if (waking.recording == kNone) return;
    has_sure_wakings_ = has_sure_wakings_ || !may_repeat;
    all_.wakings.push_back(waking);
  }

  void add_switch(const Event& event) {
    const SwitchExtra& of = batch_->switches[event.extra];
    const std::string_view state =
        of.prev_state_text ? batch_->strings.get(of.prev_state_text) : std::string_view();
    const bool sleeps =
        !of.has_no_state && (state.empty() ? (of.prev_state & kSleepStates) != 0
                                           : state.front() == 'S' || state.front() == 'D');
    add_switch(event, of.prev_tid, of.next_tid, sleeps);
  }
  void add_switch(const Event& event, int64_t prev, int64_t next, bool sleeps) {
    Switch each{.cpu = event.track, .prev_tid = prev, .next_tid = next, .sleeps = sleeps};
    each.recording = recording_of(event, each.at);
    if (each.recording != kNone) switches_.push_back(each);
  }

  // A reply names the thread that gets it, which proves that both events are of one kernel.
  void read_binder(const Event& event) {
    if (!args_.has(kBinderId) || !event.name) return;
    const std::string_view name = batch_->strings.get(event.name);
    const bool is_sent = name == "binder_transaction";
    if (!is_sent && name != "binder_transaction_received") return;
    args_.read(event);
    const auto id = args_.number(kBinderId);
    const int64_t thread = is_sent ? args_.number(kBinderThread).value_or(0) : event.value;
    FlowMoment moment{.role = is_sent ? FlowMoment::Role::Start : FlowMoment::Role::End};
    moment.recording = recording_of(event, moment.cause);
    if (!id || thread == 0 || moment.recording == kNone) return;
    moment.effect = moment.cause;
    moment.id = static_cast<uint64_t>(*id);
    moment.key = mix(mix(1, moment.id), static_cast<uint64_t>(thread));
    all_.calls.push_back(moment);
  }

  void take_wakings(size_t before) {
    keep_some(
        before, kMostWakeups, [](const Waking& w) { return mix(1, static_cast<uint64_t>(w.tid)); },
        all_.wakings);
  }

  void take_runs() {
    std::ranges::stable_sort(switches_, {},
                             [](const Switch& s) { return std::pair(s.recording, s.at); });
    const size_t before = all_.runs.size();
    absl::flat_hash_map<std::pair<uint32_t, uint32_t>, int64_t> on_cpu;  // by recording and CPU
    absl::flat_hash_map<std::pair<uint32_t, int64_t>, int64_t> asleep;   // since, by tid
    for (const Switch& each : switches_) {
      int64_t& running = on_cpu.try_emplace({each.recording, each.cpu}, kNoId).first->second;
      const int64_t prev = each.prev_tid == kNoId ? running : each.prev_tid;
      running = each.next_tid;
      if (prev > 0 && each.sleeps)
        asleep[{each.recording, prev}] = each.at;
      else if (prev > 0)
        asleep.erase({each.recording, prev});
      const auto slept = asleep.find({each.recording, each.next_tid});
      if (slept == asleep.end()) continue;
      all_.runs.push_back({each.recording, each.next_tid, slept->second, each.at});
      asleep.erase(slept);
    }
    keep_some(
        before, kMostWakeups,
        [](const WokenRun& r) { return mix(1, static_cast<uint64_t>(r.tid)); }, all_.runs);
    switches_ = {};
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  bool is_waker_, needs_runs_;
  Wakeups& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  CallArgs<kBinderFields> args_{kBinderNames};
  bool has_sure_wakings_ = false;
  std::vector<Switch> switches_;
};

}  // namespace

Wakeups read_wakeups(std::span<const FileToLocate> files, const Trackers& trackers) {
  WakeupFiles of;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t) {
    for (const BatchTrackers& batch : batches) {
      if (has_wakings(*batch.batch)) of.with_wakings.push_back(file);
      if (has_switches(*batch.batch)) of.with_switches.push_back(file);
    }
  });
  std::ranges::sort(of.with_wakings);
  std::ranges::sort(of.with_switches);
  const bool has_wakers =
      std::ranges::any_of(of.with_wakings, [&](size_t file) { return of.is_waker(file); });
  Wakeups all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    WakeupReader(files[file], batches, first, of.is_waker(file), has_wakers, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
