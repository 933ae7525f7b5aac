// LogcatWriter: emits log lines as events.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "event/sink.h"
#include "format/common/logcat_line.h"

namespace tracebraid::android_logcat {

// Writes the lines of one chunk. Caches data that most lines share with a recent one.
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
  // Returns the clock of the line's time: REALTIME if the line has a time zone.
  uint32_t clock_of(const Line& line);

  EventSink& sink_;
  int64_t copy_;
  StringId source_;
  uint32_t domain_ = 0, clock_ = kNone;
  std::array<Thread, 512> threads_;  // by tid; the last thread of each slot
};

}  // namespace tracebraid::android_logcat
