#include "event/system_tracks.h"

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"

namespace tracebraid {

uint32_t SystemTracks::process_counter(uint32_t machine, uint32_t process, const CounterKind& kind,
                                       Dimensions dimensions) {
  return counter({.scope = TrackScope::Process, .machine = machine, .owner = process}, kind,
                 dimensions);
}

uint32_t SystemTracks::cpu_counter(uint32_t machine, uint32_t cpu, const CounterKind& kind,
                                   Dimensions dimensions) {
  return counter({.scope = TrackScope::Cpu, .machine = machine, .owner = cpu}, kind, dimensions);
}

uint32_t SystemTracks::global_counter(uint32_t machine, const CounterKind& kind,
                                      Dimensions dimensions) {
  return counter({.machine = machine}, kind, dimensions);
}

uint32_t SystemTracks::counter(TrackName name, const CounterKind& kind, Dimensions dimensions) {
  name.events = TrackEvents::Counter;
  name.type = sink_.string(kind.type);
  name.name = sink_.string(kind.name);
  if (!kind.unit.empty()) name.unit = sink_.string(kind.unit);
  return track(name, dimensions);
}

uint32_t SystemTracks::track(TrackName name, Dimensions dimensions) {
  name.dimensions = shared_set(dimensions);
  return sink_.track(name);
}

uint32_t SystemTracks::first_of(const TrackName& name, Dimensions dimensions) {
  const uint32_t set = shared_set(dimensions);
  const auto [known, added] = firsts_.try_emplace({{name.machine, name.type}, set}, kNone);
  if (added) {
    TrackName first = name;
    first.dimensions = set;
    known->second = sink_.track(first);
  }
  return known->second;
}

uint32_t SystemTracks::unnamed_track(uint32_t machine) {
  std::vector<TrackName>& tracks = sink_.batch().tracks;
  tracks.push_back({.machine = machine});
  return static_cast<uint32_t>(tracks.size() - 1);
}

void SystemTracks::rename(uint32_t track, TrackName name, Dimensions dimensions) {
  name.dimensions = shared_set(dimensions);
  sink_.batch().tracks[track] = name;
}

// Stores equal dimensions as one arg set, so that equal tracks are equal as values.
uint32_t SystemTracks::shared_set(Dimensions dimensions) {
  if (dimensions.size() == 0) return kNone;
  content_.clear();
  for (const Dimension& dimension : dimensions) {
    content_ += dimension.key;
    content_ += '\0';
    content_ += dimension.is_text ? 't' : 'n';
    if (dimension.is_text && dimension.text.data() == nullptr)
      content_ += '\0';
    else if (dimension.is_text)
      content_ += dimension.text;
    else
      content_.append(reinterpret_cast<const char*>(&dimension.number), sizeof(int64_t));
    content_ += '\0';
  }
  const auto known = sets_.find(content_);
  if (known != sets_.end()) return known->second;
  sink_.open_args();
  for (const Dimension& dimension : dimensions) {
    if (dimension.is_text && dimension.text.data() == nullptr)
      add_text(dimension.key, StringId{}, sink_);
    else if (dimension.is_text)
      add_text(dimension.key, dimension.text, sink_);
    else
      add_int(dimension.key, dimension.number, sink_);
  }
  const uint32_t set = sink_.close_args();
  sets_.emplace(content_, set);
  return set;
}

void emit_counter(const EventTime& time, uint32_t track, double value, EventSink& sink,
                  uint32_t rank, uint32_t args) {
  sink.event(make_counter(time, track, value, args), rank);
}

}  // namespace tracebraid
