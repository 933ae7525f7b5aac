#include "format/perf/switches.h"

#include <algorithm>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/common/profile.h"
#include "format/perf/bytes.h"
#include "format/perf/stats.h"

namespace tracebraid::perf {
namespace {

constexpr uint16_t kSwitchOut = 1 << 13, kPreempted = 1 << 14;
enum AuxFlag : uint64_t { kTruncated = 1, kPartial = 4, kCollision = 8 };

bool has_tracepoint(const Header& header) {
  return std::ranges::any_of(header.attrs, [&](const Attr& attr) {
    const auto at = header.tracing.tracepoints.find(attr.config);
    return attr.type == kTracepointType && at != header.tracing.tracepoints.end() &&
           at->second.name == "sched_switch";
  });
}

}  // namespace

bool write_switch(const Record& record, const Header& header, int64_t time, uint32_t clock,
                  EventSink& sink) {
  const SampleId id = parse_sample_id(record, header);
  Bytes bytes(record.body);
  const uint32_t next_pid = bytes.u32(), next_tid = bytes.u32();
  const bool is_known = record.type == kSwitchCpuWide && id.cpu && id.tid && !bytes.bad();
  if (!is_known || (record.misc & kSwitchOut) == 0 || has_tracepoint(header)) return false;
  const EventTime at{time, clock};
  for (const auto& [pid, tid] : {std::pair(id.pid.value_or(0), *id.tid), {next_pid, next_tid}})
    if (tid != 0) sink.event(make_thread_seen(at, sink.thread({.tid = tid, .pid = pid})));
  SwitchExtra extra;
  extra.prev_tid = *id.tid;
  extra.next_tid = next_tid;
  // A thread that was not preempted waits; the record does not state for what.
  extra.prev_state_text = sink.string((record.misc & kPreempted) != 0 ? "R+" : "S");
  emit_switch(sink, at, *id.cpu, extra.prev_tid, extra);
  return true;
}

bool ThreadSwitches::note(const Record& record, const Header& header, int64_t time, uint32_t clock,
                          EventSink& sink) {
  const SampleId id = parse_sample_id(record, header);
  const bool is_known = record.type == kSwitch && id.tid && *id.tid != kGone;
  if (!is_known || has_tracepoint(header)) return false;
  State now{.since = {time, clock},
            .thread = sink.thread({.tid = *id.tid, .pid = id.pid.value_or(0)}),
            .name = sink.string("Running"),
            .cpu = id.cpu};
  if ((record.misc & kSwitchOut) != 0) {
    now.name = sink.string((record.misc & kPreempted) != 0 ? "R+" : "S");
    now.cpu.reset();
  }
  const auto [at, is_first] = states_.try_emplace(*id.tid, now);
  if (is_first) return true;
  int64_t duration = 0;
  if (!__builtin_sub_overflow(time, at->second.since.ticks, &duration))
    write(at->second, duration, sink);
  at->second = now;
  return true;
}

void ThreadSwitches::finish(EventSink& sink) {
  for (const auto& [tid, state] : states_) write(state, -1, sink);
}

void ThreadSwitches::write(const State& state, int64_t duration, EventSink& sink) {
  uint32_t args = kNone;
  if (state.cpu) {
    sink.open_args();
    add_int("cpu", *state.cpu, sink);
    args = sink.close_args();
  }
  sink.event(make_thread_state(state.since, state.thread, state.name, duration, args));
}

void AuxLosses::note(const Record& record, const Header& header, EventSink& sink) {
  Bytes bytes(record.body);
  const uint64_t offset = bytes.u64(), size = bytes.u64(), flags = bytes.u64();
  if (bytes.bad()) return sink.count(stats::perf_data_bad_record, record.at);
  if ((flags & kTruncated) != 0) sink.tally(stats::perf_aux_truncated);
  if ((flags & kPartial) != 0) sink.tally(stats::perf_aux_partial);
  if ((flags & kCollision) != 0) sink.tally(stats::perf_aux_collision);
  const uint32_t cpu = parse_sample_id(record, header).cpu.value_or(0);
  const auto [end, is_first] = ends_.try_emplace(cpu, offset);
  const uint64_t gap = offset > end->second ? offset - end->second : 0;
  if (gap > 0)
    sink.tally(stats::perf_aux_lost, static_cast<int64_t>(std::min<uint64_t>(gap, INT64_MAX)));
  end->second = offset + size;  // may wrap, as the kernel's counter may
}

}  // namespace tracebraid::perf
