// Marks that userspace writes into ftrace (spec proto 5.4, json 10.5), as events. Used by the
// readers of all formats that contain marks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"

namespace tracebraid {

// The place of a mark in its file.
struct MarkAt {
  EventTime time;
  uint32_t machine = 0;  // index of EventBatch::machines
  int64_t tid = 0;       // the writing thread
  uint32_t rank = 0;     // rank of the stream of its events
  // Additional fields of Chromium's form: "key=value;key=value".
  std::string_view category = {}, args = {};
  bool counts_ends = false;  // count ends that close nothing in atrace_unmatched_end
};

class FtraceMarks {
 public:
  FtraceMarks(SystemTracks& tracks, EventSink& sink) : tracks_(tracks), sink_(sink) {}

  // Emits the events of a mark; `text` has no line feed at its end. Returns false if it is no mark:
  // the caller counts systrace_parse_failure.
  bool add(const MarkAt& event, std::string_view text);

  // Single events. A tgid of 0 stands for a missing one.
  void begin(const MarkAt& event, uint32_t tgid, std::string_view name);
  void end(const MarkAt& event, uint32_t tgid);
  void instant(const MarkAt& event, uint32_t tgid, std::string_view name);
  void counter(const MarkAt& event, uint32_t tgid, std::string_view name, int64_t value);
  void real_counter(const MarkAt& event, uint32_t tgid, std::string_view name, double value);

 private:
  void decorate(const MarkAt& event, EventParts& slice);
  void add_args(const MarkAt& event);
  void kill(const MarkAt& event, std::string_view name);
  void killed(const MarkAt& event, int64_t pid);
  void async(const MarkAt& event, uint32_t tgid, std::string_view name, int64_t cookie,
             bool begins);
  bool on_track(const MarkAt& event, uint32_t tgid, char phase, std::string_view rest);
  void device_state(const MarkAt& event, std::string_view state);
  uint32_t track(const MarkAt& event, uint32_t tgid);
  uint32_t async_track(const MarkAt& event, uint32_t tgid, std::string_view type,
                       std::string_view name, int64_t cookie);
  uint32_t thread(const MarkAt& event);
  uint32_t thread_track(uint32_t machine, uint32_t thread);
  uint32_t thread_arg(const MarkAt& event, std::string_view key);

  SystemTracks& tracks_;
  EventSink& sink_;
  std::vector<uint32_t> thread_tracks_;  // by thread name
};

}  // namespace tracebraid
