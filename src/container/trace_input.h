// TraceInput: one input of an opening, provided by the host.
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
  std::string name;              // a path, or the name of the bytes in problems and tables
  std::optional<Bytes> bytes{};  // in memory: not copied; `owner` keeps them alive
  // Returns bytes in order, once, on the thread that opens. Bytes that are needed twice are kept in
  // memory, and from 64 MiB on in the temporary directory. An Error fails the opening.
  Decoder stream{};

  bool is_path() const { return !bytes && !stream; }
};

std::vector<TraceInput> path_inputs(std::span<const std::string> paths);

// Borrows `bytes` and calls `release`, if there is one, once: when the bytes are no longer used,
// also if the opening fails. `release` may be called on any thread.
TraceInput buffer_input(std::string name, std::string_view bytes, std::function<void()> release);

TraceInput stream_input(std::string name, Decoder stream);

}  // namespace tracebraid
