#include "format/common/logcat_writer.h"

#include <vector>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"

namespace tracebraid::android_logcat {
namespace {

constexpr std::string_view kMonotonic = "LINUX_CLOCK_MONOTONIC";

}  // namespace

void Writer::write(const Line& line, std::string_view message) {
  int64_t ns = line.ns;
  if (line.is_utc && !line.has_year) {
    // The time is local and without a year; its zone is stored separately.
    constexpr int64_t kNsPerMinute = 60'000'000'000;
    ns += line.ahead_ns;
    std::vector<MachineFacts>& facts = sink_.batch().machine_facts;
    if (facts.empty()) facts.push_back({.timezone_off_mins = line.ahead_ns / kNsPerMinute});
  }
  const uint32_t thread = thread_of(line);
  const EventTime time{ns, clock_of(line)};
  sink_.event(make_log(time, {.thread = thread,
                              .message = sink_.string(message),
                              .tag = sink_.string(line.tag),
                              .priority = line.priority + copy_,
                              .source = source_}));
}

uint32_t Writer::thread_of(const Line& line) {
  Thread& known = threads_[static_cast<uint64_t>(line.tid) % threads_.size()];
  if (known.name == kNone || known.tid != line.tid || known.pid != line.pid)
    known = {line.pid, line.tid, sink_.thread({.tid = line.tid, .pid = line.pid})};
  return known.name;
}

uint32_t Writer::clock_of(const Line& line) {
  uint32_t domain = line.has_year ? kLocalTime : kLocalTimeOfYear;
  if (line.is_utc && line.has_year) domain = line.is_monotonic ? kPrivateClock : domain::kRealtime;
  if (clock_ == kNone || domain != domain_)
    clock_ = sink_.clock({.domain = domain, .by_default = true});
  domain_ = domain;
  std::vector<ClockDomainName>& names = sink_.batch().clock_domains;
  if (line.is_monotonic && names.empty())
    names.push_back({.clock = clock_, .name = sink_.string(kMonotonic)});
  return clock_;
}

}  // namespace tracebraid::android_logcat
