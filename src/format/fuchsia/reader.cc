#include "format/fuchsia/reader.h"

#include <string>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/profile.h"
#include "format/fuchsia/stats.h"

namespace tracebraid::fuchsia {
namespace {}  // namespace

Reader::Reader(EventSink& sink) : sink_(sink), tracks_(sink), provider_(nullptr) {
  ClockName clock;
  clock.domain = domain::kBoottime;
  clock.by_default = true;
  clock_ = sink.clock(clock);
  provider_ = &providers_[0];
}

void Reader::record(Record& record) {
  switch (record.type) {
    case RecordType::Metadata:
      return metadata(record);
    case RecordType::Initialization:
      return initialization(record);
    case RecordType::String:
      return string(record);
    case RecordType::Thread:
      return thread(record);
    case RecordType::Event:
      return event(record);
    case RecordType::KernelObject:
      return kernel_object(record);
    case RecordType::Scheduling:
      return scheduling(record);
    case RecordType::Log:
      return log(record);
    case RecordType::Blob:
    case RecordType::Large:
      return ignore("blob records", record);
    case RecordType::UserObject:
      return ignore("userspace object records", record);
  }
  sink_.count(stats::fuchsia_record_read_error, record.at);  // unknown type
}

void Reader::metadata(const Record& record) {
  enum : uint64_t { kInfo = 1, kSection = 2, kEvent = 3 };
  const uint64_t kind = bits(record.header, 16, 19);
  const auto id = static_cast<uint32_t>(bits(record.header, 20, 51));
  constexpr uint64_t kBufferFull = 0;
  if (kind == kInfo || kind == kSection) provider_ = &providers_[id];
  if (kind == kEvent && bits(record.header, 52, 55) == kBufferFull)
    sink_.count(stats::trace_truncated, record.at, "the buffer of a provider was full");
}

void Reader::initialization(Record& record) {
  const uint64_t ticks = record.body.word();
  if (ticks == 0) return sink_.count(stats::fuchsia_record_read_error, record.at);
  provider_->ticks_per_second = ticks;
}

void Reader::string(Record& record) {
  const uint64_t index = bits(record.header, 16, 30);
  const std::string_view text = record.body.bytes(bits(record.header, 32, 46));
  if (index == 0 || record.body.bad())
    return sink_.count(stats::fuchsia_record_read_error, record.at);
  if (index >= provider_->strings.size()) provider_->strings.resize(index + 1);
  provider_->strings[index] = sink_.string(text);
}

void Reader::thread(Record& record) {
  const uint64_t index = bits(record.header, 16, 23);
  ThreadKoids koids;
  koids.process = record.body.word();
  koids.thread = record.body.word();
  if (index == 0 || record.body.bad())
    return sink_.count(stats::fuchsia_record_read_error, record.at);
  provider_->threads[index] = koids;
}

void Reader::event(Record& record) {
  EventHead head;
  Words& words = record.body;
  const uint64_t header = record.header;
  const uint64_t ticks = words.word();
  const std::optional<ThreadKoids> koids =
      thread_of(bits(header, 24, 31), *provider_, words, sink_);
  head.category = string_of(bits(header, 32, 47), *provider_, words, sink_);
  head.name = string_of(bits(header, 48, 63), *provider_, words, sink_);
  head.args = take_args(bits(header, 20, 23), *provider_, words, sink_);
  if (!koids) return;  // counted already
  const std::optional<EventTime> time = time_of(ticks);
  if (!time) return;
  head.time = *time;
  head.process = koids->process;
  head.thread = thread_name(*koids);
  if (words.bad() || !emit_event(bits(header, 16, 19), head, words)) fail(record);
}

void Reader::kernel_object(Record& record) {
  enum : uint64_t { kProcess = 1, kThread = 2 };
  Words& words = record.body;
  const uint64_t koid = words.word();
  const StringId name = string_of(bits(record.header, 24, 39), *provider_, words, sink_);
  const std::vector<Arg> args = take_args(bits(record.header, 40, 43), *provider_, words, sink_);
  if (words.bad()) return fail(record);
  const uint64_t type = bits(record.header, 16, 23);
  const std::string text(sink_.batch().strings.get(name));
  if (type == kProcess) {
    name_process(sink_, sink_.process({.pid = static_cast<int64_t>(koid)}), text);
  } else if (type == kThread) {
    ThreadName thread{.tid = static_cast<int64_t>(koid)};
    for (const Arg& arg : args)
      if (arg.kind == ArgKind::Koid && sink_.batch().strings.get(arg.name) == "process")
        thread.pid = arg.bits;
    const uint32_t index = sink_.thread(thread);
    sink_.untimed(make_thread_seen({}, index));
    name_thread(sink_, index, text);
  } else {
    ignore("kernel objects other than processes and threads", record);
  }
}

void Reader::log(Record& record) {
  constexpr int64_t kInfo = 4;  // a record has no priority
  Words& words = record.body;
  const std::optional<EventTime> time = time_of(words.word());
  const std::optional<ThreadKoids> koids =
      thread_of(bits(record.header, 32, 39), *provider_, words, sink_);
  const std::string_view message = words.bytes(bits(record.header, 16, 30));
  if (words.bad()) return fail(record);
  if (!time) return;
  sink_.event(make_log(*time, {.thread = koids ? thread_name(*koids) : kNone,
                               .message = sink_.string(message),
                               .priority = kInfo,
                               // The only log that queries know.
                               .source = sink_.string("android_logcat")}));
}

void Reader::ignore(std::string_view what, const Record& record) {
  Ignored& ignored = ignored_[what];
  ++ignored.count;
  ignored.bytes += record.size;
}

void Reader::finish() {
  for (const auto& [what, ignored] : ignored_)
    sink_.batch().not_imported.push_back({std::string(what), ignored.count, ignored.bytes});
}

std::optional<EventTime> Reader::time_of(uint64_t ticks) {
  const std::optional<int64_t> ns = ns_of_ticks(ticks, *provider_);
  if (!ns) {
    sink_.tally(stats::fuchsia_timestamp_overflow);
    return std::nullopt;
  }
  return EventTime{*ns, clock_};
}

uint32_t Reader::thread_name(const ThreadKoids& koids) {
  return sink_.thread(
      {.tid = static_cast<int64_t>(koids.thread), .pid = static_cast<int64_t>(koids.process)});
}

}  // namespace tracebraid::fuchsia
