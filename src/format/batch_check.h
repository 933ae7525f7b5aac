// Checks that the batches of a reader are consistent, for tests and fuzzers.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "event/batch_check.h"
#include "format/format.h"

namespace tracebraid {

// Returns the first flaw of each batch that the reader makes of the bytes, or nothing. An error of
// the reader is no flaw: the rest was not read.
inline std::string flaw_of_reading(const Format& format, std::string_view bytes) {
  Workers workers(1);
  Chunks chunks(workers);
  Input input(bytes);
  static_cast<void>(format.read(input, {}, chunks));
  std::string flaws;
  for (const EventBatch& batch : std::move(chunks).finish()) flaws += flaw_of(batch);
  return flaws;
}

}  // namespace tracebraid
