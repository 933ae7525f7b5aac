// Packets about the trace as a whole (spec clocks 1.5 to 1.7, 7.1, 12.4; proto 6.3).
#pragma once

#include <string_view>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/proto/args/typed_args.h"
#include "format/proto/clocks.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

void read_system_info(uint32_t machine, std::string_view message, EventSink& sink);
void read_trace_uuid(std::string_view message, EventSink& sink);
// Returns the number of buffers whose overwritten data is missing in the file, because the
// recording writes into the file while it runs; else 0.
uint32_t read_trace_config(uint32_t machine, std::string_view message, DescriptorPool& pool,
                           EventSink& sink);
void read_trace_attributes(uint32_t machine, std::string_view message, EventSink& sink);
// Events before the range are kept all the same (spec proto 2.10).
void read_range_of_interest(std::string_view message, EventSink& sink);
void read_cpu_info(uint32_t machine, std::string_view message, EventSink& sink);

// Handles an event of the tracing service. `time` is in the clock of the packet, or BOOTTIME; a
// clock without a place leaves it unchanged.
void read_service_event(uint32_t machine, const EventTime& time, std::string_view message,
                        EventSink& sink);

// Adds a row of `metadata`.
void put_text(std::string_view key, std::string_view text, MetadataScope scope, uint32_t machine,
              EventSink& sink, bool multi = false);
void put_number(std::string_view key, int64_t value, MetadataScope scope, uint32_t machine,
                EventSink& sink);

// Adds a row of `metadata` with a time as value. EventKind::MetadataTime defines how several of
// them are combined.
void add_timed_metadata(const EventTime& time, std::string_view key, TimeRule rule,
                        EventSink& sink);

}  // namespace tracebraid::proto
