// Content: the bytes of one member, as stored in its container.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/read_file.h"
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
  Content(std::shared_ptr<const ReadFile> of, std::shared_ptr<Budget> budget)
      : file(std::move(of)), meter(std::move(budget), file->size()) {}

  uint64_t size_in_container() const { return file ? file->size() : bytes.view.size(); }

  Bytes bytes;
  std::shared_ptr<const ReadFile> file;  // instead of `bytes`; then there is neither codec nor CRC
  Meter meter;
  std::optional<Codec> codec;    // none: stored bytes
  bool many_frames = false;      // following frames belong to the content
  std::optional<uint64_t> size;  // uncompressed, if known
  std::optional<uint32_t> crc;   // checked if set; `name` is for the message
  std::string name;
};

Input open_content(const Content& content);

// Gathers all bytes in memory or in a temporary file. Uncompressed bytes in memory or in a mapped
// file are not copied.
Result<Spooled> gather_content(const Content& content, const std::shared_ptr<Budget>& budget,
                               Progress& progress);

}  // namespace tracebraid
