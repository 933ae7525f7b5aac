// Code that formats with samples of callstacks share.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

struct ProfileSample {
  int64_t ts = 0;      // ticks of `clock`
  uint32_t clock = 0;  // index of the clock names
  uint32_t thread = kNone;
  std::string_view source;
  StringId name = {};
  double weight = 1;
  SampleExtra extra = {};
};
void write_sample(EventSink& sink, const ProfileSample& sample);

// Samples of one thread that differ only in time, weight and callsite. Samples with equal callsites
// share their SampleExtra.
class SampleWriter {
 public:
  SampleWriter(EventSink& sink, std::string_view source, uint32_t clock, uint32_t thread);
  void write(int64_t ts, uint32_t callsite, double weight = 1);

 private:
  EventSink& sink_;
  uint32_t clock_, thread_;
  StringId source_;
  std::vector<uint32_t> extras_;  // by 1 + callsite, 0 for none
};

// Set names for the whole file. Priorities: spec proto 4.1.
void name_thread(EventSink& sink, uint32_t thread, std::string_view name);
void name_process(EventSink& sink, uint32_t process, std::string_view name);

// Returns the clock of formats whose times count from the start of a recording.
uint32_t private_clock(EventSink& sink);

// Splits "fn (in lib)" into function fn and library lib; any other text is a function.
struct Location {
  std::string_view function, library;
};
Location split_location(std::string_view location);

// Converts milliseconds or microseconds to ns, rounded; nothing if the result does not fit.
std::optional<int64_t> ns_of(double value, double unit_ns);

}  // namespace tracebraid
