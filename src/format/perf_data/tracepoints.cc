#include "format/perf_data/tracepoints.h"

#include "format/plain_args.h"

namespace tracebraid::perf_data {
namespace {

int64_t number(std::string_view raw, const Tracepoint& of, std::string_view name) {
  const TracepointField* const field = of.find(name);
  return field == nullptr ? 0 : number_in(raw, *field);
}

std::string_view text(std::string_view raw, const Tracepoint& of, std::string_view name) {
  const TracepointField* const field = of.find(name);
  return field == nullptr ? std::string_view() : text_in(raw, *field);
}

}  // namespace

void TracepointWriter::write(const EventTime& time, uint32_t cpu, uint32_t tid,
                             const Tracepoint& tracepoint, std::string_view raw) {
  if (tracepoint.name == "sched_switch") write_switch(time, cpu, tracepoint, raw);
  if (tracepoint.name == "sched_waking") write_waking(time, cpu, tid, tracepoint, raw);
  sink_.open_args();
  for (const TracepointField& field : tracepoint.fields) {
    if (field.name.starts_with("common_")) continue;
    if (field.is_text)
      add_text(field.name, text_in(raw, field), sink_);
    else if (field.size <= 8)
      add_int(field.name, number_in(raw, field), sink_,
              field.is_signed ? ArgType::Int : ArgType::Uint);
  }
  const uint32_t args = sink_.close_args();
  Event event = make_event(time, EventKind::FtraceEvent, cpu);
  event.value = tid;
  event.name = sink_.string(tracepoint.name);
  event.args = args;
  event.extra = static_cast<uint32_t>(number(raw, tracepoint, "common_flags"));
  sink_.event(event);
}

void TracepointWriter::write_switch(const EventTime& time, uint32_t cpu,
                                    const Tracepoint& tracepoint, std::string_view raw) {
  SwitchExtra extra;
  extra.prev_tid = number(raw, tracepoint, "prev_pid");
  extra.next_tid = number(raw, tracepoint, "next_pid");
  extra.prev_state = number(raw, tracepoint, "prev_state");
  extra.prev_prio = static_cast<int32_t>(number(raw, tracepoint, "prev_prio"));
  extra.next_prio = static_cast<int32_t>(number(raw, tracepoint, "next_prio"));
  extra.prev_comm = sink_.string(text(raw, tracepoint, "prev_comm"));
  extra.next_comm = sink_.string(text(raw, tracepoint, "next_comm"));
  std::vector<SwitchExtra>& all = sink_.batch().switches;
  Event event = make_event(time, EventKind::SchedSwitch, cpu);
  event.extra = static_cast<uint32_t>(all.size());
  all.push_back(extra);
  sink_.event(event);
}

void TracepointWriter::write_waking(const EventTime& time, uint32_t cpu, uint32_t tid,
                                    const Tracepoint& tracepoint, std::string_view raw) {
  WakingExtra extra;
  extra.waker_tid = tid;
  extra.prio = static_cast<int32_t>(number(raw, tracepoint, "prio"));
  extra.target_cpu = static_cast<int32_t>(number(raw, tracepoint, "target_cpu"));
  std::vector<WakingExtra>& all = sink_.batch().wakings;
  Event event = make_event(time, EventKind::SchedWaking, cpu);
  event.value = number(raw, tracepoint, "pid");
  event.name = sink_.string(text(raw, tracepoint, "comm"));
  event.extra = static_cast<uint32_t>(all.size());
  all.push_back(extra);
  sink_.event(event);
}

}  // namespace tracebraid::perf_data
