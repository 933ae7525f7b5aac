// Input: the bytes of one file, mapped or decompressed, read from front to back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace tracebraid {

class HeldMemory;
class MappedFile;

// A range of bytes that stays valid as long as `owner` (or, if null, the Input) lives. `at` is the
// offset in the uncompressed file.
struct Block {
  std::string_view bytes;
  uint64_t at = 0;
  std::shared_ptr<const void> owner;
  size_t again = 0;  // leading bytes that repeat the end of the block before
};

// Produces the next bytes of a compressed member: fills `into` (never empty) and returns the number
// of bytes, 0 at the end. An Error ends the stream; earlier calls have returned the bytes that
// could be recovered before it.
using Decoder = std::function<Result<size_t>(char* into, size_t size)>;

// A reader pulls blocks, so it is a plain loop. Blocks of bytes in memory or in a mapped file are
// views; compressed bytes are decoded block by block, so a large trace is never whole in memory.
//
// Files that grow are read up to the size that they had at opening. The host decides about mapped
// files that shrink: with a handler of SIGBUS the missing bytes read as zeros, and FileDamage
// reports the file (base/mapped_file.h).
// the file (base/mapped_file.h).
class Input {
 public:
  // Borrows bytes. `owner` keeps them alive. `mapped`, if given, drops the pages of blocks after
  // done().
  Input(std::string_view whole, std::shared_ptr<const void> owner = nullptr,
        std::shared_ptr<const MappedFile> mapped = nullptr)
      : whole_(whole), owner_(std::move(owner)), mapped_(std::move(mapped)) {}
  explicit Input(Decoder decoder) : decoder_(std::move(decoder)) {}
  // Decodes bytes; `open` can start the decoding again.
  explicit Input(std::function<Decoder()> open) : decoder_(open()), open_(std::move(open)) {}

  // Returns about `size` further bytes, preceded by the last `again` bytes of the block before;
  // nothing at the end. Truncated or corrupt compressed data gives the bytes that can be decoded,
  // then the end; problem() has the reason.
  std::optional<Block> next(size_t size, size_t again = 0);

  // Returns all remaining bytes as one block. Decodes a compressed member completely into memory:
  // for formats that are small or need random access.
  Block all();

  // Returns up to `size` bytes from the start, without taking them. Requires: next() has not been
  // called.
  std::string_view peek(size_t size);

  // Starts again from the first byte. Returns false if the bytes are not available any more.
  // problem() is kept.
  bool rewind();

  // Returns the number of (uncompressed) bytes returned so far, without repeats.
  uint64_t offset() const { return offset_; }

  // Returns why the bytes ended early, if they did: a truncated or corrupt container. Complete once
  // next() has returned nothing, or after all().
  const std::optional<Error>& problem() const { return problem_; }
  // Returns whether bytes are missing because of problem().
  bool is_cut_short() const { return is_cut_short_; }

  // Checks the CRC of ZIP while bytes are read; `name` is for the message. A mismatch is a
  // problem(), found with the last byte.
  void expect_crc(uint32_t crc, std::string_view name) { expected_ = {crc, std::string(name)}; }

  // Releases the pages of `block`, which is no longer needed.
  void done(const Block& block) const;
  // Lets all() allocate with operator new, which a host may have replaced (base/pages.h).
  void allocate_with_new() { uses_operator_new_ = true; }
  // Reports finished blocks to `progress`. The bytes end early, without a problem(), once
  // `progress` is cancelled or `memory` has exceeded its limit.
  void report_to(Progress* progress, const HeldMemory* memory = nullptr) {
    progress_ = progress;
    memory_ = memory;
  }

 private:
  struct ExpectedCrc {
    uint32_t crc;
    std::string name;
  };
  // Decodes until `size` bytes are available, or the end.
  size_t decode(char* into, size_t size);
  bool is_stopped() const;
  // Accounts for bytes that are about to be returned.
  void took(std::string_view fresh);
  void check_crc();

  std::string_view whole_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const MappedFile> mapped_;
  Decoder decoder_;
  std::function<Decoder()> open_;
  std::string peeked_;  // decoded by peek(), not yet returned by next()
  Block last_;
  uint64_t offset_ = 0;
  bool ended_ = false;  // the decoder has no more bytes
  uint32_t crc_ = 0;    // of the returned bytes
  std::optional<ExpectedCrc> expected_;
  std::optional<Error> problem_;
  bool is_cut_short_ = false;  // the decoder failed
  bool uses_operator_new_ = false;
  Progress* progress_ = nullptr;
  const HeldMemory* memory_ = nullptr;
};

}  // namespace tracebraid
