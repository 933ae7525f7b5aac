#include "fleet/frames.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/rows.h"
#include "fleet/json.h"

namespace tracebraid::fleet {
namespace {

static_assert(std::endian::native == std::endian::little);

std::string_view bytes_of(const Buffer& buffer, size_t size) {
  return {reinterpret_cast<const char*>(buffer.data), std::min(size, buffer.size)};
}

// Returns the buffers of a column as Arrow orders them; a view without data for none.
std::vector<std::string_view> buffers_of(const ArrayData& column) {
  std::vector<std::string_view> buffers;
  buffers.push_back(column.null_count == 0 ? std::string_view()
                                           : bytes_of(column.validity, (column.length + 7) / 8));
  if (column.type == DataType::Utf8 || column.type == DataType::Binary) {
    const size_t end = column.length == 0 && column.values.size == 0
                           ? 0
                           : static_cast<size_t>(column.values.as<int32_t>()[column.length]);
    buffers.push_back(bytes_of(column.values, (column.length + 1) * sizeof(int32_t)));
    buffers.push_back({end == 0 ? "" : reinterpret_cast<const char*>(column.bytes.data), end});
  } else {
    buffers.push_back(bytes_of(column.values, column.length * sizeof(int64_t)));
  }
  return buffers;
}

// Copies bytes to where numbers of 64 bits may stand.
Buffer aligned(std::string_view bytes) {
  const auto words = std::make_shared<std::vector<uint64_t>>((bytes.size() + 7) / 8 + 1);
  if (!bytes.empty()) std::memcpy(words->data(), bytes.data(), bytes.size());
  return {words, reinterpret_cast<const std::byte*>(words->data()), bytes.size()};
}

Error damaged() { return {ErrorCode::Io, "a message of a worker is damaged"}; }

// Takes buffers from the front of the body.
class BufferReader {
 public:
  explicit BufferReader(std::string_view body) : body_(body) {}

  Result<std::optional<Buffer>> next(const Json& size) {
    if (size.is_null()) return std::nullopt;
    const std::optional<int64_t> bytes = size.integer();
    if (!bytes || *bytes < 0 || static_cast<uint64_t>(*bytes) > body_.size())
      return tl::unexpected(damaged());
    const std::string_view part = body_.substr(0, static_cast<size_t>(*bytes));
    body_.remove_prefix(part.size());
    return aligned(part);
  }

 private:
  std::string_view body_;
};

// Returns whether offsets rise from 0 on and end within the bytes.
bool are_offsets(const ArrayData& array) {
  const auto* offsets = array.values.as<int32_t>();
  if (offsets[0] < 0) return false;
  for (size_t row = 0; row < array.length; ++row)
    if (offsets[row] > offsets[row + 1]) return false;
  return static_cast<size_t>(offsets[array.length]) <= array.bytes.size;
}

Result<ArrayData> read_column(const Json& column, DataType type, size_t rows,
                              BufferReader& reader) {
  const std::vector<Json> parts = column.elements();
  const std::vector<Json> sizes = parts.size() == 2 ? parts[1].elements() : std::vector<Json>();
  const bool has_offsets = type == DataType::Utf8 || type == DataType::Binary;
  if (sizes.size() != (has_offsets ? 3U : 2U)) return tl::unexpected(damaged());
  ArrayData array{.type = type, .length = rows};
  array.null_count = static_cast<size_t>(parts[0].integer().value_or(0));
  TB_TRY_ASSIGN(std::optional<Buffer> validity, reader.next(sizes[0]));
  TB_TRY_ASSIGN(std::optional<Buffer> values, reader.next(sizes[1]));
  if (validity)
    array.validity = *std::move(validity);
  else
    array.null_count = 0;
  const size_t needed = has_offsets ? (rows + 1) * sizeof(int32_t) : rows * sizeof(int64_t);
  if (!values || values->size < needed ||
      (array.null_count != 0 && array.validity.size < (rows + 7) / 8))
    return tl::unexpected(damaged());
  array.values = *std::move(values);
  if (!has_offsets) return array;
  TB_TRY_ASSIGN(std::optional<Buffer> bytes, reader.next(sizes[2]));
  if (bytes) array.bytes = *std::move(bytes);
  if (!are_offsets(array)) return tl::unexpected(damaged());
  return array;
}

}  // namespace

std::array<char, kPrefixBytes> prefix_bytes(const FramePrefix& prefix) {
  std::array<char, kPrefixBytes> bytes{static_cast<char>(prefix.kind)};
  std::memcpy(bytes.data() + 1, &prefix.head, sizeof prefix.head);
  std::memcpy(bytes.data() + 5, &prefix.body, sizeof prefix.body);
  return bytes;
}

std::optional<FramePrefix> parse_prefix(std::string_view bytes) {
  FramePrefix prefix{.kind = static_cast<FrameKind>(bytes[0])};
  std::memcpy(&prefix.head, bytes.data() + 1, sizeof prefix.head);
  std::memcpy(&prefix.body, bytes.data() + 5, sizeof prefix.body);
  const bool is_kind = prefix.kind == FrameKind::Batch || prefix.kind == FrameKind::End ||
                       prefix.kind == FrameKind::Failed;
  // Other frames have no body.
  if (!is_kind || prefix.head > kMostHeadBytes || prefix.body > (uint64_t{1} << 40) ||
      (prefix.kind != FrameKind::Batch && prefix.body != 0))
    return std::nullopt;
  return prefix;
}

Frame batch_frame(size_t rows, std::span<const ArrayData> columns, std::optional<size_t> table) {
  Frame frame;
  std::string head = "{\"n\":" + std::to_string(rows);
  if (table) head += ",\"t\":" + std::to_string(*table);
  head += ",\"c\":[";
  uint64_t bytes = 0;
  for (const ArrayData& column : columns) {
    head += "[" + std::to_string(column.null_count) + ",[";
    for (const std::string_view buffer : buffers_of(column)) {
      head += buffer.data() == nullptr ? "null" : std::to_string(buffer.size());
      head += ',';
      if (buffer.data() == nullptr) continue;
      frame.body.push_back(buffer);
      bytes += buffer.size();
    }
    head.pop_back();
    head += "]],";
  }
  if (!columns.empty()) head.pop_back();
  head += "]}";
  const auto prefix = prefix_bytes({FrameKind::Batch, static_cast<uint32_t>(head.size()), bytes});
  frame.head.assign(prefix.data(), prefix.size()).append(head);
  return frame;
}

std::string message_frame(FrameKind kind, std::string_view head) {
  const auto prefix = prefix_bytes({kind, static_cast<uint32_t>(head.size()), 0});
  return std::string(prefix.data(), prefix.size()).append(head);
}

Result<RecordBatch> batch_of(std::shared_ptr<const Schema> schema, std::string_view head,
                             std::string_view body) {
  TB_TRY_ASSIGN(const JsonDocument document, JsonDocument::parse(head));
  const std::vector<Json> columns = document.root().member("c").elements();
  const std::optional<int64_t> rows = document.root().member("n").integer();
  if (!rows || *rows < 0 || columns.size() != schema->fields.size())
    return tl::unexpected(damaged());
  RecordBatch batch{.rows = static_cast<size_t>(*rows)};
  BufferReader reader(body);
  for (size_t i = 0; i < columns.size(); ++i) {
    TB_TRY_ASSIGN(ArrayData array,
                  read_column(columns[i], schema->fields[i].type, batch.rows, reader));
    batch.columns.push_back(std::move(array));
  }
  batch.schema = std::move(schema);
  return batch;
}

FrameSplitter::State FrameSplitter::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (rows_left_ > 0) {
      const std::string_view part = bytes.substr(0, std::min<uint64_t>(rows_left_, bytes.size()));
      if (!add_rows_(part)) return State::Stopped;
      rows_left_ -= part.size();
      bytes.remove_prefix(part.size());
      continue;
    }
    size_t wanted = kPrefixBytes;
    if (start_.size() >= kPrefixBytes) wanted += parse_prefix(start_)->head;
    const std::string_view part = bytes.substr(0, wanted - start_.size());
    start_ += part;
    bytes.remove_prefix(part.size());
    if (start_.size() < kPrefixBytes) continue;
    const std::optional<FramePrefix> prefix = parse_prefix(start_);
    if (!prefix) return State::Damaged;
    if (prefix->kind == FrameKind::Batch) {
      rows_left_ = prefix->head + prefix->body;
      if (!add_rows_(start_)) return State::Stopped;
      start_.clear();
    } else if (start_.size() == kPrefixBytes + prefix->head) {
      return bytes.empty() ? State::Complete : State::Damaged;
    }
  }
  return State::Open;
}

FrameSplitter::Message FrameSplitter::take_message() {
  Message message{static_cast<FrameKind>(start_[0]), start_.substr(kPrefixBytes)};
  start_.clear();
  return message;
}

}  // namespace tracebraid::fleet
