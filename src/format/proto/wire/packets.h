// PacketStream: splits a trace into packets (spec clocks 1).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "container/input.h"

namespace tracebraid::proto {

struct Packet {
  std::string_view bytes;
  uint64_t at = 0;  // offset of the bytes in the uncompressed file
  // Keeps the bytes alive. Null: the bytes live as long as the trace is read.
  std::shared_ptr<const void> owner;
};

// Reads the packets of a file in order.
class PacketStream {
 public:
  explicit PacketStream(Input& input) : input_(input) {}

  // Reads the next packet that is not empty. Its bytes are valid until the next call, or as long as
  // its owner lives (at most as long as the input). Returns false at the end of the file, and at
  // broken framing.
  bool next(Packet& packet);

  // Returns why the packets end before the file does.
  const std::optional<Error>& error() const { return error_; }
  // Returns the start of the last packet, if the file ends within it.
  std::optional<uint64_t> truncated_at() const { return truncated_at_; }

 private:
  enum class Step : uint8_t { Packet, Skipped, Incomplete, Corrupt };
  Step step(Packet& packet);
  Step skip(uint64_t size);
  bool refill();
  uint64_t offset() const { return offset(at_); }
  uint64_t offset(const char* at) const {
    return held_ ? held_->block.at + static_cast<uint64_t>(at - held_->block.bytes.data()) : 0;
  }
  size_t left() const { return static_cast<size_t>(end_ - at_); }

  // Releases the bytes of a block when no owner is left.
  struct Held {
    Held(Input& from, Block whole) : input(from), block(std::move(whole)) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { input.done(block); }
    Input& input;
    Block block;
  };

  Input& input_;
  std::shared_ptr<const Held> held_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  uint64_t skip_ = 0;  // remaining bytes of an unknown field
  std::optional<Error> error_;
  std::optional<uint64_t> truncated_at_;
};

enum class Packing : uint8_t { Deflate, Zstd };

// Returns an Error if a bundle is within another (`depth`), or if bundles of the file have several
// compressions. Sets `of_file`, that of the bundles so far.
Result<> check_bundle(int depth, Packing packing, std::optional<Packing>& of_file);

// Decompresses the payload of a bundle of packets.
Result<std::string> unpack_bundle(std::string_view packed, Packing packing);

// Takes the first packet off a decompressed bundle. The packet may be empty.
Result<std::string_view> take_packet(std::string_view& bundle);

}  // namespace tracebraid::proto
