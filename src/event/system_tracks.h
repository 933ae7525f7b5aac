// SystemTracks: tracks of the system, itself, identified by type, owner and dimensions. One for
// each sink.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "event/make_event.h"
#include "event/sink.h"

namespace tracebraid {

// A dimension: distinguishes a tracks of one type and owner. A null view as text is
// NULL.
struct Dimension {
  constexpr Dimension(std::string_view the_key, std::string_view the_text)
      : key(the_key), text(the_text), is_text(true) {}
  constexpr Dimension(std::string_view the_key, int64_t the_number)
      : key(the_key), number(the_number) {}
  std::string_view key, text;
  int64_t number = 0;
  bool is_text = false;
};
using Dimensions = std::initializer_list<Dimension>;

struct CounterKind {
  std::string_view type, name, unit = {};
};

class SystemTracks {
 public:
  explicit SystemTracks(EventSink& sink) : sink_(sink) {}

  uint32_t process_counter(uint32_t machine, uint32_t process, const CounterKind& kind,
                           Dimensions dimensions = {});
  uint32_t cpu_counter(uint32_t machine, uint32_t cpu, const CounterKind& kind,
                       Dimensions dimensions = {});
  uint32_t global_counter(uint32_t machine, const CounterKind& kind, Dimensions dimensions = {});

  // Returns the index of a track. Equal names and dimensions give one index.
  uint32_t track(TrackName name, Dimensions dimensions = {});
  // Returns the track that was created first with this machine, type and dimensions, whatever its
  // name.
  uint32_t first_of(const TrackName& name, Dimensions dimensions);
  // Returns a new track for events that come before its name. Requires: the track gets a name, or
  // loses its events.
  uint32_t unnamed_track(uint32_t machine);
  // Sets or changes the name of a track of this sink, also for its earlier events.
  void rename(uint32_t track, TrackName name, Dimensions dimensions);

 private:
  uint32_t shared_set(Dimensions dimensions);
  uint32_t counter(TrackName name, const CounterKind& kind, Dimensions dimensions);

  EventSink& sink_;
  absl::flat_hash_map<std::string, uint32_t> sets_;  // by content
  absl::flat_hash_map<std::pair<std::pair<uint32_t, StringId>, uint32_t>, uint32_t> firsts_;
  std::string content_;  // scratch
};

void emit_counter(const EventTime& time, uint32_t track, double value, EventSink& sink,
                  uint32_t rank = 0, uint32_t args = kNone);

}  // namespace tracebraid
