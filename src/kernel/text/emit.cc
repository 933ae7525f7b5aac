#include "kernel/text/emit.h"

#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"

namespace tracebraid::kernel_text {
namespace {

void emit(const Line& line, EventKind kind, std::string_view name, uint32_t args,
          Context& context) {
  context.sink().event(make_kernel_event(
      context.time(line), kind,
      {.cpu = line.cpu, .tid = line.tid, .name = context.sink().string(name), .args = args}));
}

TrackName named_track(std::string_view kind, std::string_view name, Context& context) {
  return {.type = context.sink().string("ftrace_" + std::string(kind)),
          .name = context.sink().string(name)};
}

void slice(const Line& line, EventKind kind, uint32_t track, std::string_view name, uint32_t args,
           Context& context) {
  const StringId text = name.empty() ? StringId{} : context.sink().string(name);
  context.sink().event(
      make_slice_event(context.time(line), kind, track, 0, {.name = text, .args = args}));
}

}  // namespace

KernelDetails details_of(const Line& line) {
  KernelDetails details;
  split_details(line.details, details);
  return details;
}

void emit_event(const Line& line, Context& context) {
  const uint32_t args = details_args(details_of(line), context.sink());
  emit(line, context.keep_raw() ? EventKind::FtraceEvent : EventKind::FtraceMeaning, line.name,
       args, context);
}

void emit_other_event(const Line& line, Context& context) {
  const auto each = [&](EventKind kind, uint32_t args) {
    emit(line, kind, line.name, args, context);
  };
  emit_text_event(line.name, line.details, context.keep_raw(), context.sink(), each);
}

void emit_row(const Line& line, Context& context) {
  if (!context.keep_raw()) return;
  emit_row(line, context, details_args(details_of(line), context.sink()));
}

void emit_row(const Line& line, Context& context, uint32_t args) {
  emit(line, EventKind::FtraceRow, line.name, args, context);
}

void emit_meaning(const Line& line, std::string_view name,
                  std::initializer_list<KernelField> fields, Context& context) {
  emit(line, EventKind::FtraceMeaning, name, field_args(fields, context.sink()), context);
}

uint32_t thread_track(const Line& line, Context& context) {
  return context.sink().track({.scope = TrackScope::Thread,
                               .owner = context.thread(line),
                               .type = context.sink().string("thread_execution")});
}

uint32_t cpu_track(uint32_t cpu, std::string_view kind, std::string_view name, Context& context) {
  TrackName track = named_track(kind, name, context);
  track.scope = TrackScope::Cpu;
  track.owner = cpu;
  return context.sink().track(track);
}

uint32_t machine_track(std::string_view kind, std::string_view name, Context& context) {
  return context.tracks().track(named_track(kind, name, context), {{"name", name}});
}

uint32_t lane_track(std::string_view kind, std::string_view name, uint64_t cookie,
                    Context& context) {
  TrackName track = named_track(kind, name, context);
  track.lanes = Lanes::ByCookie;
  track.cookie = cookie;
  return context.tracks().track(track, {{"name", name}});
}

void begin(const Line& line, uint32_t track, std::string_view name, Context& context,
           uint32_t args) {
  slice(line, EventKind::SliceBegin, track, name, args, context);
}

void end(const Line& line, uint32_t track, std::string_view name, Context& context, uint32_t args) {
  slice(line, EventKind::SliceEnd, track, name, args, context);
}

void instant(const Line& line, uint32_t track, std::string_view name, Context& context,
             uint32_t args) {
  slice(line, EventKind::Instant, track, name, args, context);
}

void count(const Line& line, const CounterKind& kind, std::string_view dimension, double value,
           Context& context) {
  const uint32_t track = dimension.empty()
                             ? context.tracks().global_counter(0, kind)
                             : context.tracks().global_counter(0, kind, {{"name", dimension}});
  emit_counter(context.time(line), track, value, context.sink());
}

}  // namespace tracebraid::kernel_text
