// The metadata of messages of an Arrow IPC stream, as flatbuffers (Schema.fbs and Message.fbs of
// the Arrow format 1.0, version V5).
//
// Input: schemas, lengths of buffers. Output: messages with their length prefix. Called by
// ArrowStreamWriter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/batch/record_batch.h"

namespace tracebraid::arrow {

// The start of each buffer within a body, and the body, are multiples of this.
inline constexpr size_t kAlignment = 8;
constexpr size_t padded(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

// A column or a dictionary of a message: the struct FieldNode of Message.fbs.
struct Node {
  int64_t length = 0, null_count = 0;
};

std::string schema_message(const Schema& schema);
// Returns the message of a record batch, without its body. `sizes` are those of its buffers.
std::string batch_message(size_t rows, std::span<const Node> nodes, std::span<const size_t> sizes);
// Returns the message of a dictionary, without its body.
std::string dictionary_message(int64_t id, bool is_delta, size_t entries,
                               std::span<const size_t> sizes);
// The end of a stream.
inline constexpr std::string_view kEndOfStream{"\xff\xff\xff\xff\0\0\0\0", 8};

}  // namespace tracebraid::arrow
