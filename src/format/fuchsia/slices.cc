#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/fuchsia/reader.h"
#include "format/fuchsia/stats.h"

namespace tracebraid::fuchsia {

bool Reader::emit_event(uint64_t kind, const EventHead& head, Words& words) {
  enum : uint64_t {
    kInstant = 0,
    kCounter = 1,
    kBegin = 2,
    kEnd = 3,
    kComplete = 4,
    kAsyncBegin = 5,
    kAsyncInstant = 6,
    kAsyncEnd = 7,
    kFlowBegin = 8,
    kFlowStep = 9,
    kFlowEnd = 10,
  };
  switch (kind) {
    case kInstant:
      slice(EventKind::Instant, thread_track(head.thread), head, 0);
      return true;
    case kBegin:
      slice(EventKind::SliceBegin, thread_track(head.thread), head, 0);
      return true;
    case kEnd:
      slice(EventKind::SliceEnd, thread_track(head.thread), head, 0);
      return true;
    default:
      break;
  }
  // Other events have a word after their args.
  const uint64_t word = words.word();
  if (words.bad()) return false;
  switch (kind) {
    case kCounter:
      counter(head, word);
      return true;
    case kComplete: {
      const std::optional<EventTime> end = time_of(word);
      if (end)
        slice(EventKind::Slice, thread_track(head.thread), head, end->ticks - head.time.ticks);
      return true;
    }
    case kAsyncBegin:
      slice(EventKind::SliceBegin, async_track(head, word), head, 0);
      return true;
    case kAsyncInstant:
      slice(EventKind::Instant, async_track(head, word), head, 0);
      return true;
    case kAsyncEnd:
      slice(EventKind::SliceEnd, async_track(head, word), head, 0);
      return true;
    case kFlowBegin:
      flow(EventKind::FlowStart, head, word);
      return true;
    case kFlowStep:
      flow(EventKind::FlowStep, head, word);
      return true;
    case kFlowEnd:
      flow(EventKind::FlowEndHere, head, word);
      return true;
    default:
      return false;
  }
}

void Reader::slice(EventKind kind, uint32_t track, const EventHead& head, int64_t value) {
  const EventParts parts{
      .name = head.name, .category = head.category, .args = arg_set(head.args, sink_)};
  sink_.event(make_slice_event(head.time, kind, track, value, parts));
}

void Reader::counter(const EventHead& head, uint64_t id) {
  const uint32_t process = sink_.process({.pid = static_cast<int64_t>(head.process)});
  for (const Arg& arg : head.args) {
    const std::optional<double> value = number_of(arg);
    if (!value) {
      sink_.tally(stats::fuchsia_non_numeric_counters);
      continue;
    }
    const StringPool& strings = sink_.batch().strings;
    std::string name(strings.get(head.name));
    name += ':';
    name += strings.get(arg.name);
    const CounterKind kind{.type = "fuchsia_counter", .name = name};
    const uint32_t track = tracks_.process_counter(
        0, process, kind, {{"name", name}, {"counter_id", static_cast<int64_t>(id)}});
    emit_counter(head.time, track, *value, sink_);
  }
}

void Reader::flow(EventKind kind, const EventHead& head, uint64_t id) {
  sink_.event(make_flow(head.time, kind, thread_track(head.thread), id,
                        {.name = head.name, .category = head.category}));
}

uint32_t Reader::async_track(const EventHead& head, uint64_t id) {
  TrackName track;
  track.scope = TrackScope::Process;
  track.owner = sink_.process({.pid = static_cast<int64_t>(head.process)});
  track.type = sink_.string("fuchsia_async");
  track.name = head.name;
  track.lanes = Lanes::ByCookie;
  track.cookie = id;
  return tracks_.track(track, {{"name", sink_.batch().strings.get(head.name)}});
}

uint32_t Reader::thread_track(uint32_t thread) {
  const auto [at, added] = thread_tracks_.try_emplace(thread, kNone);
  if (added) {
    TrackName track;
    track.scope = TrackScope::Thread;
    track.owner = thread;
    track.type = sink_.string("thread_execution");
    at->second = sink_.track(track);
  }
  return at->second;
}

}  // namespace tracebraid::fuchsia
