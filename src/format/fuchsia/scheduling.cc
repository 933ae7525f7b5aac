#include <algorithm>
#include <string>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/fuchsia/reader.h"

namespace tracebraid::fuchsia {
namespace {

constexpr int64_t kIdle = 0;  // tid of the idle thread of a CPU in the tables
// Weight of the thread that an idle CPU runs.
constexpr int64_t kIdleWeight = INT32_MIN;

struct Task {
  int64_t tid = 0;
  int32_t prio = 0;
};

// Returns the state of a thread that leaves a CPU; empty for an unknown number.
std::string_view letter_of(uint64_t state) {
  switch (state) {
    case 0:  // new
    case 1:  // running
      return "R";
    case 2:  // suspended
      return "T";
    case 3:  // blocked
      return "S";
    case 4:  // dying
      return "Z";
    case 5:  // dead
      return "X";
    default:
      return {};
  }
}

void emit_context_switch(const EventTime& time, uint32_t cpu, const Task& out, uint64_t state,
                         const Task& in, EventSink& sink) {
  const std::string_view letter = letter_of(state);
  if (letter.empty()) sink.tally(stats::task_state_invalid);
  SwitchExtra extra;
  extra.prev_tid = out.tid;
  extra.prev_prio = out.prio;
  extra.next_tid = in.tid;
  extra.next_prio = in.prio;
  extra.prev_state_text = letter.empty() ? sink.string(std::to_string(state)) : sink.string(letter);
  emit_switch(sink, time, cpu, out.tid, extra);
}

}  // namespace

void Reader::scheduling(Record& record) {
  switch (bits(record.header, 60, 63)) {
    case 0:
      return old_switch(record);
    case 1:
      return context_switch(record);
    case 2:
      return wakeup(record);
    default:
      return ignore("scheduling records of other types", record);
  }
}

// Reads the old form, which has the processes of threads, and priorities instead of weights.
void Reader::old_switch(Record& record) {
  Words& words = record.body;
  const uint64_t header = record.header;
  const std::optional<EventTime> time = time_of(words.word());
  const auto out = thread_of(bits(header, 28, 35), *provider_, words, sink_);
  const auto in = thread_of(bits(header, 36, 43), *provider_, words, sink_);
  if (words.bad()) return fail(record);
  if (!time || !out || !in) return;  // counted already
  const auto task = [&](const ThreadKoids& koids, uint64_t prio) {
    if (koids.process == 0 && prio == 0) return Task{kIdle, 0};
    sink_.event(make_thread_seen(*time, thread_name(koids)));
    return Task{static_cast<int64_t>(koids.thread), static_cast<int32_t>(prio)};
  };
  const Task from = task(*out, bits(header, 44, 51)), to = task(*in, bits(header, 52, 59));
  emit_context_switch(*time, static_cast<uint32_t>(bits(header, 16, 23)), from,
                      bits(header, 24, 27), to, sink_);
}

void Reader::context_switch(Record& record) {
  Words& words = record.body;
  const uint64_t header = record.header;
  const std::optional<EventTime> time = time_of(words.word());
  const uint64_t out = words.word(), in = words.word();
  if (words.bad()) return fail(record);
  const std::vector<Arg> args = take_args(bits(header, 16, 19), *provider_, words, sink_);
  if (!time) return;
  const auto task_of = [&](uint64_t koid, std::string_view weight) {
    Task task{.tid = static_cast<int64_t>(koid)};
    for (const Arg& arg : args) {
      if (arg.kind != ArgKind::Int32 || sink_.batch().strings.get(arg.name) != weight) continue;
      task.prio = static_cast<int32_t>(arg.bits);
      if (arg.bits == kIdleWeight) task = {kIdle, 0};
    }
    return task;
  };
  emit_context_switch(*time, static_cast<uint32_t>(bits(header, 20, 35)),
                      task_of(out, "outgoing_weight"), bits(header, 36, 39),
                      task_of(in, "incoming_weight"), sink_);
}

void Reader::wakeup(Record& record) {
  Words& words = record.body;
  const std::optional<EventTime> time = time_of(words.word());
  const uint64_t woken = words.word();
  if (words.bad()) return fail(record);
  if (!time) return;
  const auto cpu = static_cast<uint32_t>(bits(record.header, 20, 35));
  WakingExtra extra;
  extra.waker_tid = kNoId;
  extra.target_cpu = static_cast<int32_t>(cpu);
  emit_waking(sink_, *time, cpu, static_cast<int64_t>(woken), {}, extra);
}

}  // namespace tracebraid::fuchsia
