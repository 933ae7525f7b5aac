// Frames: the messages of worker processes, over pipes and in files of rows. A frame is a kind, a
// JSON head, and a body of bytes: struct {char kind; uint32 head bytes; uint64 body bytes} without
// padding, little-endian, then head and body.
//
//   'b'  rows: head {"n":rows,"c":[[NULLs,[bytes of each buffer, or null]],...]}; body: the buffers
//        as Arrow has them. Of several tables, the head also has "t", the index of the table
//   'e'  all rows were sent: head with the facts of the group
//   'f'  the group failed: head with stage, code, message, file, offset
//
// The Python package reads the frames of workers, too (python/tracebraid/_fleet/frames.py).
//
// Input: batches, or bytes. Output: bytes, or batches. Called by workers and their parent.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/record_batch.h"

namespace tracebraid::fleet {

enum class FrameKind : char { Batch = 'b', End = 'e', Failed = 'f' };

inline constexpr size_t kPrefixBytes = 13;
inline constexpr size_t kMostHeadBytes = size_t{1} << 28;

struct FramePrefix {
  FrameKind kind = FrameKind::End;
  uint32_t head = 0;  // bytes
  uint64_t body = 0;  // bytes
};

std::array<char, kPrefixBytes> prefix_bytes(const FramePrefix& prefix);
// Returns nothing for bytes that are no prefix. Requires: kPrefixBytes bytes.
std::optional<FramePrefix> parse_prefix(std::string_view bytes);

// A frame as bytes: prefix and head, and views of the body.
struct Frame {
  std::string head;  // with the prefix
  std::vector<std::string_view> body;
};
// Requires: columns are Int64, Float64, Utf8 or Binary. The views borrow from the columns.
// `table`: the index of the table that has the rows, if there are several.
Frame batch_frame(size_t rows, std::span<const ArrayData> columns,
                  std::optional<size_t> table = {});
// Returns a frame without a body.
std::string message_frame(FrameKind kind, std::string_view head);

// Returns the rows of a frame. The schema has the type of each column. An Error (Io) if the head
// does not fit the body or the schema.
Result<RecordBatch> batch_of(std::shared_ptr<const Schema> schema, std::string_view head,
                             std::string_view body);

// Splits a stream of bytes into frames. Bytes of batches go to the receiver as they come; other
// frames are collected.
class FrameSplitter {
 public:
  struct Message {
    FrameKind kind;
    std::string head;
  };
  // `add_rows` receives bytes of batch frames, unchanged. It returns false to stop.
  explicit FrameSplitter(std::function<bool(std::string_view bytes)> add_rows)
      : add_rows_(std::move(add_rows)) {}

  enum class State : uint8_t { Open, Complete, Stopped, Damaged };
  // Takes bytes up to the end of a frame that is no batch: then the state is Complete.
  State add(std::string_view bytes);
  // Returns the frame that completed. Requires: the state is Complete. Then frames may follow.
  Message take_message();

 private:
  std::function<bool(std::string_view bytes)> add_rows_;
  std::string start_;       // of a prefix, or a message
  uint64_t rows_left_ = 0;  // bytes of the current batch
};

}  // namespace tracebraid::fleet
