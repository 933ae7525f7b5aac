// Content: the bytes of one member, as stored in its container.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "container/bytes.h"
#include "container/codec.h"
#include "container/input.h"
#include "container/meter.h"
#include "container/spool.h"

namespace tracebraid {

struct Content {
  Content(Bytes with, std::shared_ptr<Budget> budget)
      : bytes(std::move(with)),
        meter(std::move(budget), std::min<uint64_t>(bytes.view.size(), bytes.origin)) {}

  Bytes bytes;
  Meter meter;
  std::optional<Codec> codec;    // none: the bytes as they are
  bool many_frames = false;      // frames that follow belong to it
  std::optional<uint64_t> size;  // unpacked, if something tells
  std::optional<uint32_t> crc;   // to be checked; `name` is for the message
  std::string name;
};

Input open_content(const Content& content);

// All of it at hand. As it is if it is not compressed.
Result<Spooled> gather_content(const Content& content, const std::shared_ptr<Budget>& budget,
                               Progress& progress);

}  // namespace tracebraid
