// The history of Android's battery statistics, in the form for programs: "dumpsys batterystats
// --checkin" (spec proto-2 12).
//
// Input: lines that begin with "9,". Output: counters, instants and slices at times of REALTIME.
// Called by android_dumpstate.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"

namespace tracebraid::android_dumpstate {

// The first line of the history: the version of the format follows.
inline constexpr std::string_view kBatteryStats = "9,0,i,vers,";

class BatteryStats {
 public:
  explicit BatteryStats(EventSink& sink) : sink_(sink), tracks_(sink) {}

  // Reads a line; ignores lines that are no part of the history. Counts a malformed one.
  void line(std::string_view text, uint64_t at);

 private:
  struct Text {  // an entry of the string pool
    std::string uid, text;
  };

  bool read_text(std::string_view fields);
  bool read_history(std::string_view fields);
  bool set_time(std::string_view mark);
  void item(std::string_view text);
  void event(std::string_view sign, std::string_view name, std::string_view index);
  void wake_lock(bool is_start, std::string_view index);
  void state(std::string_view name, std::string_view value);
  bool battery(std::string_view name, std::string_view value);
  void counter(std::string_view type, std::string_view name, double value,
               Dimensions dimensions = {});
  EventTime time();

  EventSink& sink_;
  SystemTracks tracks_;
  int64_t version_ = 0;
  std::optional<int64_t> ms_;  // time of the current line
  absl::flat_hash_map<int64_t, Text> texts_;
};

}  // namespace tracebraid::android_dumpstate
