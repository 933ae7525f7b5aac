#include "format/proto/profile/samples.h"

#include <fmt/format.h>

#include "event/emit.h"
#include "event/event_kind.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/profile/stats.h"

namespace tracebraid::proto {
namespace {

void append_key(std::string& key, std::string_view part) {
  key += part;
  key += '\0';
}

}  // namespace

uint32_t find_callsite(const PacketInfo& packet, uint64_t iid, EventSink& sink) {
  const Sequence& sequence = *packet.sequence;
  std::optional<uint32_t> found;
  if (sequence.interned && sequence.interned->stacks)
    found = sequence.interned->stacks->callsite(iid, packet.machine, sink);
  if (!found) sink.count(stats::stackprofile_invalid_callstack_id, packet.at, {}, packet.machine);
  return found.value_or(kNone);
}

uint32_t SampleReader::session(const PacketInfo& packet, std::string_view source,
                               std::string_view unit, EventSink& sink) {
  SampleSession session{
      .machine = packet.machine, .key = packet.sequence->id, .source = sink.string(source)};
  if (!unit.empty()) session.timebase_unit = sink.string(unit);
  return sink.session(session);
}

uint32_t SampleReader::track(const PacketInfo& packet, const CounterOf& of,
                             const SampledCounter& counter, PacketOutput& out) {
  std::string key;
  for (const std::string_view part : {of.type, of.source, std::string_view(counter.name)})
    append_key(key, part);
  key += fmt::format("{} {} {} {}", packet.machine, of.session, of.cpu, of.is_timebase);
  const auto [at, added] = tracks_.try_emplace(std::move(key), kNone);
  if (!added) return at->second;
  EventSink& sink = out.sink;
  TrackName name;
  name.events = TrackEvents::Counter;
  name.machine = packet.machine;
  name.type = sink.string(of.type);
  name.name = sink.string(counter.name);
  if (of.cpu >= 0) {
    name.scope = TrackScope::Cpu;
    name.owner = static_cast<uint32_t>(of.cpu);
  }
  const bool is_perf = of.source == kPerfSource;
  sink.open_args();
  if (is_perf) {
    add_int("perf_session_id", of.session, sink, ArgType::Session);
    add_text("name", counter.name, sink);
  } else {
    if (!counter.unit.empty()) name.unit = sink.string(counter.unit);
    add_int("session_id", of.session, sink, ArgType::Session);
    add_text("source", of.source, sink);
    add_text("counter_name", counter.name, sink);
  }
  name.dimensions = sink.close_args();
  sink.open_args();
  add_int("is_timebase", of.is_timebase ? 1 : 0, sink, ArgType::Bool);
  if (!counter.description.empty()) add_text("description", counter.description, sink);
  name.source_args = sink.close_args();
  at->second = sink.track(name);
  out.declare(packet.time, at->second);
  return at->second;
}

void SampleReader::write(const PacketInfo& packet, Sample& sample, PacketOutput& out) {
  EventSink& sink = out.sink;
  StackTables& stacks = sink.batch().stacks;
  SampleExtra& extra = sample.extra;
  extra.session = sample.session;
  const bool is_perf = sample.source == kPerfSource;
  std::vector<SampleCounter> values;
  for (const Value& value : sample.values) {
    const bool of_cpu = extra.cpu >= 0 && (is_perf || value.counter.of_cpu);
    const std::string_view type =
        is_perf ? (of_cpu ? "perf_cpu_counter" : "perf_global_counter")
                : (of_cpu ? "stack_sample_cpu_counter" : "stack_sample_session_counter");
    const uint32_t index = track(
        packet, {type, sample.source, sample.session, of_cpu ? extra.cpu : -1, value.is_timebase},
        value.counter, out);
    if (value.value)
      values.push_back(
          {index, false,
           static_cast<double>(*value.value) * static_cast<double>(value.counter.multiplier)});
  }
  if (!values.empty()) {
    values.back().last = true;
    extra.counters = static_cast<uint32_t>(stacks.sample_counters.size());
    stacks.sample_counters.insert(stacks.sample_counters.end(), values.begin(), values.end());
  }
  uint32_t thread = kNone;
  if (sample.tid)
    thread = sink.thread(
        {.machine = packet.machine, .tid = *sample.tid, .pid = sample.pid.value_or(kNoId)});
  else if (sample.pid)
    extra.process = out.process(packet, *sample.pid);
  SampleParts parts{.weight = sample.weight};
  if (sample.name) parts.name = sink.string(*sample.name);
  parts.source = sink.string(sample.source);
  emit_sample(sink, packet.time, thread, parts, extra);
}

void SampleReader::finish(EventSink& sink) const {
  for (const auto& [machine, stats] : stats_) stats.finish(machine, sink);
}

}  // namespace tracebraid::proto
