#include "format/perf/tracepoints.h"

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/perf/records.h"

namespace tracebraid::perf {
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
  if (tid == kGone) tid = static_cast<uint32_t>(number(raw, tracepoint, "common_pid"));
  const bool is_sched = write_sched(time, cpu, tid, tracepoint, raw);
  if (is_sched && !keep_raw_) return;
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
  EventKind kind = is_sched ? EventKind::FtraceRow : EventKind::FtraceEvent;
  if (!keep_raw_) kind = EventKind::FtraceMeaning;
  const auto flags = static_cast<uint32_t>(number(raw, tracepoint, "common_flags"));
  sink_.event(make_kernel_event(time, kind,
                                {.cpu = cpu,
                                 .tid = tid,
                                 .name = sink_.string(tracepoint.name),
                                 .args = args,
                                 .flags = flags}));
}

bool TracepointWriter::write_sched(const EventTime& time, uint32_t cpu, uint32_t tid,
                                   const Tracepoint& tracepoint, std::string_view raw) {
  const std::string_view name = tracepoint.name;
  if (name == "sched_switch")
    write_switch(time, cpu, tracepoint, raw);
  else if (name == "sched_waking" || name == "sched_wakeup" || name == "sched_wakeup_new")
    write_waking(time, cpu, tid, tracepoint, raw);
  else if (name == "sched_blocked_reason")
    write_blocked(time, cpu, tracepoint, raw);
  else
    return false;
  return true;
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
  emit_switch(sink_, time, cpu, 0, extra);
}

void TracepointWriter::write_waking(const EventTime& time, uint32_t cpu, uint32_t tid,
                                    const Tracepoint& tracepoint, std::string_view raw) {
  WakingExtra extra;
  extra.waker_tid = tid;
  extra.may_repeat = tracepoint.name != "sched_waking";
  if (const TracepointField* const success = tracepoint.find("success"))
    extra.success = number_in(raw, *success) == 0 ? 0 : 1;
  extra.prio = static_cast<int32_t>(number(raw, tracepoint, "prio"));
  extra.target_cpu = static_cast<int32_t>(number(raw, tracepoint, "target_cpu"));
  emit_waking(sink_, time, cpu, number(raw, tracepoint, "pid"),
              sink_.string(text(raw, tracepoint, "comm")), extra);
}

void TracepointWriter::write_blocked(const EventTime& time, uint32_t cpu,
                                     const Tracepoint& tracepoint, std::string_view raw) {
  BlockedExtra extra;  // the caller is an address without a name
  if (const TracepointField* const io_wait = tracepoint.find("io_wait"))
    extra.io_wait = number_in(raw, *io_wait) == 0 ? 0 : 1;
  emit_blocked(sink_, time, cpu, number(raw, tracepoint, "pid"), extra);
}

}  // namespace tracebraid::perf
