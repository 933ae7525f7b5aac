// Reader: interprets the records of a Fuchsia trace.
//
// Input: records (records.h) with the state of their provider. Output: an EventBatch. Called by
// fuchsia.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"
#include "format/common/stats.h"
#include "format/fuchsia/provider.h"
#include "format/fuchsia/records.h"
#include "format/fuchsia/stats.h"

namespace tracebraid::fuchsia {

class Reader {
 public:
  explicit Reader(EventSink& sink);

  void record(Record& record);
  void bad_header(uint64_t at) { sink_.count(stats::fuchsia_record_read_error, at); }
  // Reports data that was not imported.
  void finish();

 private:
  struct EventHead {
    EventTime time;
    uint64_t process = 0;
    uint32_t thread = kNone;
    StringId category, name;
    std::vector<Arg> args;
  };

  void metadata(const Record& record);
  void initialization(Record& record);
  void string(Record& record);
  void thread(Record& record);
  void event(Record& record);
  void kernel_object(Record& record);
  void log(Record& record);
  void ignore(std::string_view what, const Record& record);

  // Defined in scheduling.cc.
  void scheduling(Record& record);
  void old_switch(Record& record);
  void context_switch(Record& record);
  void wakeup(Record& record);

  // Defined in slices.cc. `kind` is the type of the event; `words` are those after its args.
  bool emit_event(uint64_t kind, const EventHead& head, Words& words);
  void slice(EventKind kind, uint32_t track, const EventHead& head, int64_t value);
  void counter(const EventHead& head, uint64_t id);
  void flow(EventKind kind, const EventHead& head, uint64_t id);
  uint32_t async_track(const EventHead& head, uint64_t id);
  uint32_t thread_track(uint32_t thread);

  // Returns nothing, and counts, if the time does not fit.
  std::optional<EventTime> time_of(uint64_t ticks);
  uint32_t thread_name(const ThreadKoids& koids);
  void fail(const Record& record) { sink_.count(stats::fuchsia_invalid_event, record.at); }

  struct Ignored {
    uint64_t count = 0, bytes = 0;
  };

  EventSink& sink_;
  SystemTracks tracks_;
  uint32_t clock_;
  absl::flat_hash_map<uint32_t, Provider> providers_;
  Provider* provider_;                                     // the current provider
  std::map<std::string_view, Ignored> ignored_;            // by description
  absl::flat_hash_map<uint32_t, uint32_t> thread_tracks_;  // by thread name
};

}  // namespace tracebraid::fuchsia
