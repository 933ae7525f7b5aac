// Tracepoints of perf.data as kernel events.
#pragma once

#include <string_view>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/perf/tracing_data.h"

namespace tracebraid::perf {

class TracepointWriter {
 public:
  // `keep_raw`: events are also rows of ftrace_event.
  TracepointWriter(EventSink& sink, bool keep_raw) : sink_(sink), keep_raw_(keep_raw) {}

  // `raw` has the bytes of the fields that `tracepoint` describes.
  void write(const EventTime& time, uint32_t cpu, uint32_t tid, const Tracepoint& tracepoint,
             std::string_view raw);

 private:
  // Emits scheduler events by their meaning. Returns false for other events.
  bool write_sched(const EventTime& time, uint32_t cpu, uint32_t tid, const Tracepoint& tracepoint,
                   std::string_view raw);
  void write_switch(const EventTime& time, uint32_t cpu, const Tracepoint& tracepoint,
                    std::string_view raw);
  void write_waking(const EventTime& time, uint32_t cpu, uint32_t tid, const Tracepoint& tracepoint,
                    std::string_view raw);
  void write_blocked(const EventTime& time, uint32_t cpu, const Tracepoint& tracepoint,
                     std::string_view raw);

  EventSink& sink_;
  bool keep_raw_;
};

}  // namespace tracebraid::perf
