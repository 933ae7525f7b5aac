// TraceInput: one input of an opening, as the host gives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "container/bytes.h"
#include "container/input.h"

namespace tracebraid {

struct TraceInput {
  std::string name;              // a path; otherwise what problems and tables call the bytes
  std::optional<Bytes> bytes{};  // in memory: not copied, kept by their owner
  // Bytes in order, once, on the thread that opens. What must be read twice is kept in memory, and
  // from 64 MiB on in the temporary directory. An Error fails the opening.
  Decoder stream{};

  bool is_path() const { return !bytes && !stream; }
};

std::vector<TraceInput> path_inputs(std::span<const std::string> paths);

// Borrows `bytes` and calls `release`, if there is one, once: when nobody reads them any more, also
// when the opening fails. `release` may be called on any thread.
TraceInput buffer_input(std::string name, std::string_view bytes, std::function<void()> release);

TraceInput stream_input(std::string name, Decoder stream);

}  // namespace tracebraid
