// Writer: log lines as events.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "event/sink.h"
#include "format/common/logcat_line.h"

namespace tracebraid::android_logcat {

// Writes the lines of one chunk. What most lines share with one not far before is looked up once.
class Writer {
 public:
  // `copy` is 0 or kLogCopy.
  explicit Writer(EventSink& sink, int64_t copy = 0)
      : sink_(sink), copy_(copy), source_(sink.string("android_logcat")) {}

  void write(const Line& line, std::string_view message);

 private:
  struct Thread {
    int64_t pid = 0, tid = 0;
    uint32_t name = kNone;
  };

  uint32_t thread_of(const Line& line);
  // Which clock the line's time is of: a zone makes it REALTIME.
  uint32_t clock_of(const Line& line);

  EventSink& sink_;
  int64_t copy_;
  StringId source_;
  uint32_t domain_ = 0, clock_ = kNone;
  std::array<Thread, 512> threads_;  // by tid; the last of those that share a place
};

}  // namespace tracebraid::android_logcat
