#include "server/rpc/cells_batch.h"

#include <algorithm>
#include <cstring>

#include "engine/rows.h"
#include "server/rpc/proto_writer.h"

namespace tracebraid::rpc {
namespace {

enum CellType : char { kNull = 1, kVarint = 2, kFloat64 = 3, kString = 4, kBlob = 5 };
enum Field : uint32_t {
  kCells = 1,
  kVarintCells = 2,
  kFloat64Cells = 3,
  kBlobCells = 4,
  kStringCells = 5,
  kIsLastBatch = 6,
  kPadding = 7,
};
constexpr size_t kMostVarintBytes = 10;

// Appends a field of 2 to 10 bytes that readers skip.
void append_padding(std::string& to, size_t size) {
  append_tag(to, kPadding, Wire::Varint);
  to.append(size - 2, static_cast<char>(0x80));
  to.push_back('\0');
}

}  // namespace

void Bytes::grow(size_t more) {
  const size_t capacity = std::max<size_t>({size_ + more, capacity_ * 2, 4096});
  std::unique_ptr<char[]> data(new char[capacity]);
  if (size_ != 0) std::memcpy(data.get(), data_.get(), size_);
  data_ = std::move(data);
  capacity_ = capacity;
}

void Bytes::append(std::string_view bytes) {
  if (bytes.empty()) return;
  char* at = reserve(bytes.size());
  std::memcpy(at, bytes.data(), bytes.size());
  set_end(at + bytes.size());
}

size_t CellsBatch::add(const RecordBatch& rows, size_t first) {
  const size_t width = rows.columns.size();
  size_t row = first;
  while (row < rows.rows && (row == first || !is_full(width))) {
    char* cell = cells_.reserve(width);
    char* varint = varints_.reserve(width * kMostVarintBytes);
    char* real = doubles_.reserve(width * sizeof(double));
    const auto add_int = [&](int64_t value) {
      *cell++ = kVarint;
      varint += protozero::add_varint_to_buffer(varint, static_cast<uint64_t>(value));
      counted_bytes_ += 4;
    };
    const auto add_real = [&](double value) {
      *cell++ = kFloat64;
      std::memcpy(real, &value, sizeof value);
      real += sizeof value;
      counted_bytes_ += sizeof value;
    };
    const auto add_text = [&](std::string_view text) {
      *cell++ = kString;
      const void* nul = std::memchr(text.data(), 0, text.size());
      const size_t size = nul == nullptr
                              ? text.size()
                              : static_cast<size_t>(static_cast<const char*>(nul) - text.data());
      char* at = strings_.reserve(size + 1);
      std::memcpy(at, text.data(), size);
      at[size] = '\0';
      strings_.set_end(at + size + 1);
      counted_bytes_ += size + 5;
    };
    const auto add_blob = [&](std::string_view blob) {
      *cell++ = kBlob;
      char* at = blobs_.reserve(1 + kMostVarintBytes);
      *at++ = static_cast<char>(kBlobCells << 3 | static_cast<uint32_t>(Wire::Bytes));
      blobs_.set_end(at + protozero::add_varint_to_buffer(at, blob.size()));
      blobs_.append(blob);
      counted_bytes_ += blob.size() + 4;
    };
    for (const ArrayData& column : rows.columns) {
      if (column.is_null(row)) {
        *cell++ = kNull;
        continue;
      }
      switch (column.type) {
        case DataType::Int64:
          add_int(column.values.as<int64_t>()[row]);
          break;
        case DataType::Float64:
          add_real(column.values.as<double>()[row]);
          break;
        case DataType::Dictionary:
          add_text(
              text_at(*column.dictionary, static_cast<size_t>(column.values.as<int32_t>()[row])));
          break;
        case DataType::Utf8:
          add_text(text_at(column, row));
          break;
        default: {
          const Cell value = cell_at(column, row);
          if (value.kind == Cell::Kind::Int) add_int(value.integer);
          if (value.kind == Cell::Kind::Real) add_real(value.real);
          if (value.kind == Cell::Kind::Text) add_text(value.text);
          if (value.kind == Cell::Kind::Blob) add_blob(value.text);
          if (value.kind == Cell::Kind::Null) *cell++ = kNull;
          break;
        }
      }
    }
    cells_.set_end(cell);
    varints_.set_end(varint);
    doubles_.set_end(real);
    ++row;
  }
  return row - first;
}

size_t CellsBatch::most_bytes() const {
  constexpr size_t kTagsAndPadding = 64;
  return cells_.size() + varints_.size() + doubles_.size() + strings_.size() + blobs_.size() +
         kTagsAndPadding;
}

void CellsBatch::append_to(std::string& to, uint64_t bytes_before, bool is_last) const {
  to.reserve(to.size() + most_bytes());
  append_bytes(to, kStringCells, strings_.view());
  if (cells_.size() != 0) append_bytes(to, kCells, cells_.view());
  if (varints_.size() != 0) append_bytes(to, kVarintCells, varints_.view());
  if (doubles_.size() != 0) {
    const auto head = 1 + static_cast<size_t>(protozero::length_of_varint(doubles_.size()));
    const uint64_t begin = bytes_before + to.size() + head;
    const size_t missing = (8 - begin % 8) % 8;
    if (missing != 0) append_padding(to, missing == 1 ? 9 : missing);
    append_bytes(to, kFloat64Cells, doubles_.view());
  }
  to += blobs_.view();
  if (is_last) append_int(to, kIsLastBatch, 1);
}

void CellsBatch::clear() {
  for (Bytes* part : {&cells_, &varints_, &doubles_, &strings_, &blobs_}) part->clear();
  counted_bytes_ = kEmptyBytes;
}

}  // namespace tracebraid::rpc
