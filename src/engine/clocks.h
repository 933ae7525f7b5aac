// Clocks of a Trace: finding them by name, converting times between any two, and the readings that
// relate two. In: a trace. Out: rows of the table clock, values and bounds. Called by capi and
// server.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

class Trace;

// Which clock: every member that is set must match.
struct ClockRequest {
  std::optional<std::string> name;     // "REALTIME", in any case, or a number; none: trace time
  std::optional<std::string> machine;  // its name or the row of machine
  std::optional<std::string> file;     // its path, or the end of it after a '/'
  std::optional<int64_t> sequence;
};

struct FoundClock {
  uint32_t row = 0;   // of the table clock
  std::string label;  // "REALTIME of watch"
};

// Of several clocks, one that all files of the machine share has priority. Errors: NotFound, and
// Usage, which lists the candidates.
Result<FoundClock> find_clock(const Trace& trace, const ClockRequest& request);

// Converts times in ns by the best path between two clocks. Equal to SQL's clock_convert() and
// clock_error(). Immutable and thread-safe. Shares ownership of the trace.
class ClockConverter {
 public:
  // Rows are those of the table clock.
  static Result<std::shared_ptr<const ClockConverter>> open(std::shared_ptr<const Trace> trace,
                                                            uint32_t from, uint32_t to);
  ~ClockConverter();

  // Sets out[i] and bounds[i] for each ts[i]; `bounds` may be empty, otherwise all sizes are equal.
  // A time that cannot be converted has out 0, the bound kUnbounded, and bit i of `valid` 0;
  // `valid` may be null, else it has a bit for each time.
  Result<> convert(std::span<const int64_t> ts, std::span<int64_t> out, std::span<int64_t> bounds,
                   uint8_t* valid) const;

 private:
  struct State;
  explicit ClockConverter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Readings of the two clocks of an edge at one moment, ns.
struct EdgeReading {
  int64_t from = 0, to = 0;
  std::optional<int64_t> bound_ns;  // of `to`; none for a guess
  std::optional<int64_t> mapped;    // what the map of EdgeReadings gives for `from`; none: refused
  std::optional<int64_t> ts;        // trace time of `from`; none without a place
  // Of an observation, where a file has it. None for what is derived from several places.
  std::optional<uint32_t> file;  // row of trace_file
  std::optional<uint64_t> byte_offset;
};

// The evidence of an edge, as the solver uses it.
struct EdgeReadings {
  // The map between observations: step, linear or stated; paths for evidence that is on no path,
  // which is compared with the paths of both clocks.
  std::string_view model;
  size_t total = 0;                       // observations of the span, also those left out
  std::vector<EdgeReading> observations;  // in the order in which they were made
  // The map and its bound at the observations and halfway between them: `to` is `mapped`.
  std::vector<EdgeReading> curve;
};

// Which observations of an edge: those of a span of trace time, if one is set.
struct ReadingSpan {
  std::optional<int64_t> from_ts, to_ts;  // both inclusive
};

// Returns the observations of a row of the table clock_edge. Beyond `most` of them, keeps of each
// range the two that are the furthest from the line through the first and the last. An observation
// without a trace time is in no span that is set. Errors: NotFound.
Result<EdgeReadings> edge_readings(const Trace& trace, uint32_t edge, size_t most,
                                   ReadingSpan span = {});

}  // namespace tracebraid
