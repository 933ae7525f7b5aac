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

// A run of bytes that stays valid as long as `owner` (or, when null, the Input)
// lives. `at` is the offset in the uncompressed file.
struct Block {
  std::string_view bytes;
  uint64_t at = 0;
  std::shared_ptr<const void> owner;
  size_t again = 0;  // leading bytes that the block before ended with
};

// Produces the next bytes of a compressed member: fills `into` (never empty)
// and says how many; 0 at the end. An Error ends the stream; bytes that
// could be recovered before it were delivered by earlier calls.
using Decoder = std::function<Result<size_t>(char* into, size_t size)>;

// Pulled, not pushed, so that a reader is a plain loop. Bytes that lie in
// memory or in a mapped file are handed out as views of it; compressed ones are
// decoded block by block, so a large trace is never whole in memory.
//
// Files that grow are read up to the size that they had. What becomes of a mapped file that shrinks
// is up to the host: with a handler of SIGBUS its lost bytes read as zeros, and FileDamage reports
// the file (base/mapped_file.h).
class Input {
 public:
  // Borrowed bytes. `owner` keeps them alive; `mapped`, if given, is told which
  // parts are done with.
  Input(std::string_view whole, std::shared_ptr<const void> owner = nullptr,
        std::shared_ptr<const MappedFile> mapped = nullptr)
      : whole_(whole), owner_(std::move(owner)), mapped_(std::move(mapped)) {}
  explicit Input(Decoder decoder) : decoder_(std::move(decoder)) {}
  // Likewise, of bytes that can be decoded anew.
  explicit Input(std::function<Decoder()> open) : decoder_(open()), open_(std::move(open)) {}

  // The next about `size` bytes, preceded by the last `again` bytes of the
  // block before; nothing at the end. Truncated or corrupt compressed data
  // gives what could be decoded, then the end; problem() tells.
  std::optional<Block> next(size_t size, size_t again = 0);

  // All bytes that are left, as one block. For a compressed member this decodes
  // all of it into memory: for formats that are small or need to look back.
  Block all();

  // The first up to `size` bytes, without taking them. Only before next().
  std::string_view peek(size_t size);

  // Starts over: the bytes come again. False if they are gone. What was found wrong stays known.
  bool rewind();

  // Bytes handed out so far (uncompressed), without repeats.
  uint64_t offset() const { return offset_; }

  // Why the bytes ended early, if they did: a truncated or corrupt container.
  // Complete once next() has returned nothing, or after all().
  const std::optional<Error>& problem() const { return problem_; }
  // Whether bytes are missing because of it.
  bool is_cut_short() const { return is_cut_short_; }

  // Has the CRC of ZIP checked as the bytes are handed out; `name` is for the
  // message. A mismatch is a problem(), found with the last byte.
  void expect_crc(uint32_t crc, std::string_view name) { expected_ = {crc, std::string(name)}; }

  // Tells that `block` is no longer needed, so its pages can be given back.
  void done(const Block& block) const;
  // Lets all() allocate with operator new, which a host may have replaced (base/pages.h).
  void allocate_with_new() { uses_operator_new_ = true; }
  // Told of the bytes that are done. The bytes end early, without a problem(), once `progress` is
  // cancelled or `memory` has exceeded its limit.
  void report_to(Progress* progress, const HeldMemory* memory = nullptr) {
    progress_ = progress;
    memory_ = memory;
  }

 private:
  struct ExpectedCrc {
    uint32_t crc;
    std::string name;
  };
  // Decodes until `size` bytes are there, or the end.
  size_t decode(char* into, size_t size);
  bool is_stopped() const;
  // Accounts for bytes that are about to be handed out.
  void took(std::string_view fresh);
  void check_crc();

  std::string_view whole_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const MappedFile> mapped_;
  Decoder decoder_;
  std::function<Decoder()> open_;
  std::string peeked_;  // decoded by peek(), not yet handed out
  Block last_;
  uint64_t offset_ = 0;
  bool ended_ = false;  // the decoder has nothing more
  uint32_t crc_ = 0;    // of the bytes handed out
  std::optional<ExpectedCrc> expected_;
  std::optional<Error> problem_;
  bool is_cut_short_ = false;  // the decoder gave up
  bool uses_operator_new_ = false;
  Progress* progress_ = nullptr;
  const HeldMemory* memory_ = nullptr;
};

}  // namespace tracebraid
