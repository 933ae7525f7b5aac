// Spans of services: a span that another recording's span caused (spec alignment 3.3).
//
// Args name a span and its parent, as OpenTelemetry, Zipkin and W3C traceparent do. A child does
// not start before its parent; a server's span lies within the client's span that waits for it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "merge/align/causes.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

struct ServiceSpan {
  enum class Kind : uint8_t { Unknown, Client, Server, Other };
  uint64_t trace = 0;   // hash of the trace id
  uint64_t id = 0;      // 0 if only the parent is known
  uint64_t parent = 0;  // 0: none
  uint32_t recording = 0;
  Kind kind = Kind::Unknown;
  bool is_global = false;  // the ids do not occur by chance
  bool has_end = false;
  int64_t begin = 0, end = 0;  // readings, ns
};

// Returns what a kind of span names: a text such as client or SPAN_KIND_CLIENT, or a number of
// OTLP.
ServiceSpan::Kind span_kind(std::string_view text);
ServiceSpan::Kind span_kind(int64_t otlp);

struct ServiceSpans {
  std::vector<Recording> recordings;  // in order of files
  std::vector<ServiceSpan> spans;
};

// Returns the spans with valid ids. At most a million of a file; of more, every n-th by trace.
ServiceSpans read_spans(std::span<const FileToLocate> files, const Trackers& trackers);

// Links spans with their parents in other recordings. An id that several spans have is the parent
// of none, except that a client and a server may share one.
CauseLinks link_spans(const ServiceSpans& all);

}  // namespace tracebraid::align
