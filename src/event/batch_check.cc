#include "event/batch_check.h"

#include <fmt/format.h>

#include <bit>

#include "event/sched_events.h"

namespace tracebraid {
namespace {

class BatchChecker {
 public:
  explicit BatchChecker(const EventBatch& batch) : batch_(batch) {}

  std::string_view args() const;
  std::string_view tracks() const;
  std::string_view records() const;
  std::string events() const;

 private:
  bool is_text(StringId id) const { return !id || id.row < batch_.strings.size(); }
  bool is_args(uint32_t set) const {
    if (set == kNone) return true;
    while (set < batch_.args.rows.size())
      if (batch_.args.rows[set++].last) return true;
    return false;
  }
  std::string_view flaw_of_event(const Event& event) const;
  std::string describe(const Event& event) const {
    const std::string_view flaw = flaw_of_event(event);
    return flaw.empty() ? "" : fmt::format("{} of {}", flaw, text_of(batch_, event));
  }

  const EventBatch& batch_;
};

std::string_view BatchChecker::args() const {
  for (const ArgRow& row : batch_.args.rows) {
    if (row.key >= batch_.args.keys.size()) return "arg without a key";
    const auto index = static_cast<uint64_t>(row.value);
    if (row.type == ArgType::String && !is_text({static_cast<uint32_t>(row.value)}))
      return "text of an arg";
    if (row.type == ArgType::Process && index >= batch_.processes.size())
      return "process of an arg";
    if (row.type == ArgType::Thread && index >= batch_.threads.size()) return "thread of an arg";
    if (row.type == ArgType::Track && index >= batch_.tracks.size()) return "track of an arg";
    if (row.type == ArgType::Time && index >= batch_.arg_times.size()) return "time of an arg";
  }
  for (const ArgKey& key : batch_.args.keys)
    if (!is_text(key.key) || !is_text(key.path)) return "text of an arg's key";
  return {};
}

std::string_view BatchChecker::tracks() const {
  for (const TrackName& track : batch_.tracks) {
    if (!is_text(track.name) || !is_text(track.type)) return "text of a track";
    if (!is_args(track.dimensions) || !is_args(track.source_args)) return "args of a track";
    if (track.parent != kNone && track.parent >= batch_.tracks.size()) return "parent of a track";
    if (track.scope == TrackScope::Thread && track.owner >= batch_.threads.size())
      return "thread of a track";
    if (track.scope == TrackScope::Process && track.owner >= batch_.processes.size())
      return "process of a track";
  }
  return {};
}

std::string_view BatchChecker::records() const {
  for (const Snapshot& snapshot : batch_.snapshots)
    if (size_t{snapshot.first} + snapshot.count > batch_.readings.size()) return "readings";
  for (const SnapshotReading& reading : batch_.readings)
    if (reading.clock >= batch_.clocks.size()) return "clock of a reading";
  for (const SliceExtra& extra : batch_.slice_extras)
    if (extra.flows != kNone && extra.flows >= batch_.flows.size()) return "flows of a slice";
  return {};
}

std::string_view BatchChecker::flaw_of_event(const Event& event) const {
  const EventTraits& traits = traits_of(event.what());
  if (traits.name.empty()) return "kind";
  if (event.clock >= batch_.clocks.size()) return "clock";
  if (!is_text(event.name)) return "name";
  if (!is_text(event.category)) return "category";
  if (traits.args == ArgsField::Set && !is_args(event.args)) return "args";
  if (traits.value == ValueField::Process &&
      static_cast<uint64_t>(event.value) >= batch_.processes.size())
    return "value";
  if (const auto size = size_of(batch_, traits.track))
    if (event.track >= *size && !(event.track == kNone && is_optional(traits.track)))
      return "track";
  if (traits.extra == ExtraField::ArgSet && !is_args(event.extra)) return "extra";
  if (const auto size = size_of(batch_, traits.extra))
    if (event.extra >= *size && !(event.extra == kNone && is_optional(traits.extra)))
      return "extra";
  return {};
}

std::string BatchChecker::events() const {
  const auto first_flaw = [&](const std::vector<Event>& events) -> std::string {
    for (const Event& event : events)
      if (std::string flaw = describe(event); !flaw.empty()) return flaw;
    return {};
  };
  for (const Stream& stream : batch_.streams) {
    if (std::string flaw = first_flaw(stream.events); !flaw.empty()) return flaw;
    for (const SchedRecord& record : stream.sched) {
      if (record.task >= batch_.sched_tasks.size()) return "task of a compact event";
      if (record.fact >= batch_.sched_facts.size()) return "fact of a compact event";
      if (std::string flaw = describe(sched_event(batch_, record)); !flaw.empty()) return flaw;
    }
  }
  if (std::string flaw = first_flaw(batch_.untimed); !flaw.empty()) return flaw;
  return first_flaw(batch_.timed_metadata);
}

std::string text_of_string(const EventBatch& batch, StringId id) {
  if (!id) return "-";
  if (id.row >= batch.strings.size()) return fmt::format("string {}", id.row);
  return fmt::format("'{}'", batch.strings.get(id));
}

std::string text_of_index(std::string_view list, uint32_t index) {
  return index == kNone ? "none" : fmt::format("{} {}", list, index);
}

std::string text_of_track(TrackField field, uint32_t track) {
  switch (field) {
    case TrackField::None:
      return {};
    case TrackField::Track:
      return text_of_index("track", track);
    case TrackField::Process:
      return text_of_index("process", track);
    case TrackField::Thread:
    case TrackField::MaybeThread:
      return text_of_index("thread", track);
    case TrackField::Cpu:
      return text_of_index("cpu", track);
    case TrackField::StatIndex:
      return text_of_index("index", track);
  }
  return {};
}

std::string text_of_value(ValueField field, int64_t value) {
  switch (field) {
    case ValueField::None:
      return {};
    case ValueField::Number:
    case ValueField::Flag:
      return fmt::format("value {}", value);
    case ValueField::Duration:
      return fmt::format("duration {}", value);
    case ValueField::Id:
      return fmt::format("id {:#x}", static_cast<uint64_t>(value));
    case ValueField::Real:
      return fmt::format("value {}", std::bit_cast<double>(value));
    case ValueField::Process:
      return fmt::format("process {}", value);
    case ValueField::Waking: {
      const CompactWaking waking = CompactWaking::unpack(value);
      return fmt::format("wakes tid {} flags {}", waking.tid, waking.common_flags);
    }
  }
  return {};
}

std::string text_of_extra(const EventBatch& batch, ExtraField field, uint32_t extra) {
  switch (field) {
    case ExtraField::None:
      return {};
    case ExtraField::Number:
      return fmt::format("extra {}", static_cast<int32_t>(extra));
    case ExtraField::Text:
      return fmt::format("extra {}", text_of_string(batch, {extra}));
    case ExtraField::ArgSet:
      return text_of_index("arg set", extra);
    case ExtraField::MaybeSliceExtra:
    case ExtraField::MaybeFlowExtra:
    case ExtraField::SwitchExtra:
    case ExtraField::WakingExtra:
    case ExtraField::BlockedExtra:
    case ExtraField::SampleExtra:
    case ExtraField::MaybeHeapSample:
    case ExtraField::HeapGraph:
    case ExtraField::OutOfMemory:
    case ExtraField::JsonObject:
    case ExtraField::JsonId:
    case ExtraField::JsonLink:
    case ExtraField::MemoryDump:
      return extra == kNone ? "" : fmt::format("extra {}", extra);
  }
  return {};
}

}  // namespace

std::optional<size_t> size_of(const EventBatch& batch, TrackField field) {
  switch (field) {
    case TrackField::None:
    case TrackField::Cpu:
    case TrackField::StatIndex:
      return std::nullopt;
    case TrackField::Track:
      return batch.tracks.size();
    case TrackField::Process:
      return batch.processes.size();
    case TrackField::Thread:
    case TrackField::MaybeThread:
      return batch.threads.size();
  }
  return std::nullopt;
}

std::optional<size_t> size_of(const EventBatch& batch, ExtraField field) {
  switch (field) {
    case ExtraField::None:
    case ExtraField::Number:
    case ExtraField::ArgSet:
      return std::nullopt;
    case ExtraField::Text:
      return batch.strings.size();
    case ExtraField::MaybeSliceExtra:
      return batch.slice_extras.size();
    case ExtraField::MaybeFlowExtra:
      return batch.flow_extras.size();
    case ExtraField::SwitchExtra:
      return batch.switches.size();
    case ExtraField::WakingExtra:
      return batch.wakings.size();
    case ExtraField::BlockedExtra:
      return batch.blocked.size();
    case ExtraField::SampleExtra:
      return batch.stacks.samples.size();
    case ExtraField::MaybeHeapSample:
      return batch.stacks.heap_samples.size();
    case ExtraField::HeapGraph:
      return batch.stacks.heap_graphs.size();
    case ExtraField::OutOfMemory:
      return batch.stacks.out_of_memory.size();
    case ExtraField::JsonObject:
      return batch.json.objects.size();
    case ExtraField::JsonId:
      return batch.json.ids.size();
    case ExtraField::JsonLink:
      return batch.json.links.size();
    case ExtraField::MemoryDump:
      return batch.memory.dumps.size();
  }
  return std::nullopt;
}

std::string text_of(const EventBatch& batch, const Event& event) {
  const EventTraits& traits = traits_of(event.what());
  std::string text = traits.name.empty() ? fmt::format("kind {}", static_cast<unsigned>(event.kind))
                                         : std::string(traits.name);
  text += fmt::format(" at {} of clock {}", event.ts, static_cast<uint32_t>(event.clock));
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    text += ' ';
    text += part;
  };
  add(text_of_track(traits.track, event.track));
  if (event.name) add("name " + text_of_string(batch, event.name));
  if (event.category) add("category " + text_of_string(batch, event.category));
  add(text_of_value(traits.value, event.value));
  if (traits.args == ArgsField::Number)
    add(fmt::format("number {}", static_cast<int32_t>(event.args)));
  else if (event.args != kNone)
    add(fmt::format("args {}", event.args));
  add(text_of_extra(batch, traits.extra, event.extra));
  return text;
}

std::string flaw_of(const EventBatch& batch) {
  const BatchChecker checker(batch);
  if (const auto flaw = checker.args(); !flaw.empty()) return std::string(flaw);
  if (const auto flaw = checker.tracks(); !flaw.empty()) return std::string(flaw);
  if (std::string flaw = checker.events(); !flaw.empty()) return flaw;
  return std::string(checker.records());
}

}  // namespace tracebraid
