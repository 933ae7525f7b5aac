#include "export/arrow/stream.h"

#include <fmt/format.h>

#include "export/arrow/stream_messages.h"
#include "export/rows/cell_text.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

using arrow::Node;

// The columns of a body: their nodes, the parts of their buffers, and memory made for them.
struct Body {
  std::vector<Node> nodes;
  std::vector<std::string_view> buffers;
  std::vector<std::shared_ptr<const void>> owned;

  void add_buffer(const void* data, size_t size) {
    buffers.emplace_back(static_cast<const char*>(data), size);
  }
  std::vector<size_t> sizes() const {
    std::vector<size_t> sizes;
    for (const std::string_view buffer : buffers) sizes.push_back(buffer.size());
    return sizes;
  }
  void add(const ArrayData& array);
  void add_texts(const ArrayData& array, size_t first, size_t end);
  void add_variant(const ArrayData& array);
  void add_validity(const ArrayData& array);
};

void Body::add_validity(const ArrayData& array) {
  add_buffer(array.validity.data, array.null_count == 0 ? 0 : (array.length + 7) / 8);
}

// Adds offsets and bytes of rows, whose first offset becomes 0.
void Body::add_texts(const ArrayData& array, size_t first, size_t end) {
  if (array.length == 0) {  // may have no buffer
    static constexpr int32_t kNoTexts = 0;
    add_buffer(&kNoTexts, sizeof kNoTexts);
    add_buffer(nullptr, 0);
    return;
  }
  const auto* offsets = array.values.as<int32_t>();
  const int32_t begin = offsets[first];
  const size_t size = (end - first + 1) * sizeof(int32_t);
  if (begin == 0) {
    add_buffer(offsets + first, size);
  } else {
    auto moved = std::make_shared<std::vector<int32_t>>(offsets + first, offsets + end + 1);
    for (int32_t& offset : *moved) offset -= begin;
    add_buffer(moved->data(), size);
    owned.push_back(std::move(moved));
  }
  add_buffer(array.bytes.data == nullptr ? nullptr : array.bytes.data + begin,
             static_cast<size_t>(offsets[end] - begin));
}

// Adds values of any type as texts.
void Body::add_variant(const ArrayData& array) {
  struct Texts {
    std::vector<uint8_t> valid;
    std::vector<int32_t> offsets{0};
    std::string bytes;
  };
  auto texts = std::make_shared<Texts>();
  texts->valid.resize((array.length + 7) / 8);
  int64_t nulls = 0;
  for (size_t row = 0; row < array.length; ++row) {
    const Cell cell = cell_at(array, row);
    if (cell.kind == Cell::Kind::Null) {
      ++nulls;
    } else {
      texts->valid[row / 8] = static_cast<uint8_t>(texts->valid[row / 8] | 1u << row % 8);
      if (cell.kind == Cell::Kind::Text)
        append_valid_utf8(texts->bytes, cell.text);
      else
        append_shown(texts->bytes, cell);
    }
    texts->offsets.push_back(static_cast<int32_t>(texts->bytes.size()));
  }
  nodes.push_back({static_cast<int64_t>(array.length), nulls});
  add_buffer(texts->valid.data(), nulls == 0 ? 0 : texts->valid.size());
  add_buffer(texts->offsets.data(), texts->offsets.size() * sizeof(int32_t));
  add_buffer(texts->bytes.data(), texts->bytes.size());
  owned.push_back(std::move(texts));
}

void Body::add(const ArrayData& array) {
  if (array.type == DataType::Variant) {
    add_variant(array);
    return;
  }
  const auto length = static_cast<int64_t>(array.length);
  if (array.type == DataType::Null || array.type == DataType::Unknown) {
    nodes.push_back({length, length});  // without buffers
    return;
  }
  nodes.push_back({length, static_cast<int64_t>(array.null_count)});
  add_validity(array);
  switch (array.type) {
    case DataType::Int64:
    case DataType::Float64:
      add_buffer(array.values.data, array.length * 8);
      break;
    case DataType::Dictionary:
      add_buffer(array.values.data, array.length * sizeof(int32_t));
      break;
    default:
      add_texts(array, 0, array.length);
      break;
  }
}

template <class Write>
bool write_body(const Body& body, Write write) {
  static constexpr std::string_view kZeros("\0\0\0\0\0\0\0", arrow::kAlignment - 1);
  for (const std::string_view buffer : body.buffers) {
    if (!buffer.empty() && !write(buffer)) return false;
    const size_t padding = arrow::padded(buffer.size()) - buffer.size();
    if (padding != 0 && !write(kZeros.substr(0, padding))) return false;
  }
  return true;
}

class ArrowWriter final : public BatchSink {
 public:
  ArrowWriter(std::shared_ptr<const Schema> schema, Output& out)
      : stream_(std::move(schema), [&out](std::string_view bytes) {
          out.buffer() += bytes;
          out.drain();
          return out.ok();
        }) {}
  void begin(const Schema& /*schema*/) override {}
  bool add(const RecordBatch& batch) override { return stream_.add(batch); }
  void end() override { stream_.finish(); }

 private:
  ArrowStreamWriter stream_;
};

}  // namespace

ArrowStreamWriter::ArrowStreamWriter(std::shared_ptr<const Schema> schema, ArrowSink sink)
    : schema_(std::move(schema)), sink_(std::move(sink)) {
  sent_.resize(schema_->fields.size());
  has_dictionary_.resize(schema_->fields.size());
}

bool ArrowStreamWriter::write(std::string_view bytes) {
  has_ended_ = has_ended_ || !sink_(bytes);
  return !has_ended_;
}

bool ArrowStreamWriter::begin() {
  if (has_begun_) return !has_ended_;
  has_begun_ = true;
  return write(arrow::schema_message(*schema_));
}

bool ArrowStreamWriter::add_dictionary(size_t column, const ArrayData& dictionary) {
  const bool is_delta = has_dictionary_[column];
  if (is_delta && dictionary.length == sent_[column]) return true;
  Body body;
  body.add_buffer(nullptr, 0);  // all entries are valid
  body.add_texts(dictionary, sent_[column], dictionary.length);
  const size_t entries = dictionary.length - sent_[column];
  has_dictionary_[column] = true;
  sent_[column] = dictionary.length;
  return write(arrow::dictionary_message(static_cast<int64_t>(column), is_delta, entries,
                                         body.sizes())) &&
         write_body(body, [&](std::string_view bytes) { return write(bytes); });
}

bool ArrowStreamWriter::add(const RecordBatch& batch) {
  if (!begin()) return false;
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    static const ArrayData kNoEntries{.type = DataType::Utf8};
    const ArrayData& column = batch.columns[i];
    if (column.type != DataType::Dictionary) continue;
    if (!add_dictionary(i, column.dictionary == nullptr ? kNoEntries : *column.dictionary))
      return false;
  }
  Body body;
  for (const ArrayData& column : batch.columns) body.add(column);
  return write(arrow::batch_message(batch.rows, body.nodes, body.sizes())) &&
         write_body(body, [&](std::string_view bytes) { return write(bytes); });
}

bool ArrowStreamWriter::finish() { return begin() && write(arrow::kEndOfStream); }

std::unique_ptr<BatchSink> make_arrow_writer(std::shared_ptr<const Schema> schema, Output& out) {
  return std::make_unique<ArrowWriter>(std::move(schema), out);
}

}  // namespace tracebraid
