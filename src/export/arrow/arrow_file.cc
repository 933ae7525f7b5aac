// The library that writes Parquet and Arrow files; see arrow_file.h.
#include "export/arrow/arrow_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

namespace tracebraid {
namespace {

// Rows per Parquet row group, whose pages are in memory until it is written.
constexpr int64_t kGroupRows = int64_t{256} << 10;

// The allocator of the C library, because Arrow's own does not release freed memory.
arrow::MemoryPool* pool() { return arrow::system_memory_pool(); }

using Type = ArrowColumn::Type;

std::shared_ptr<arrow::DataType> type_of(const ArrowColumn& column) {
  switch (column.type) {
    case Type::Integer:
      return arrow::int64();
    case Type::Real:
      return arrow::float64();
    case Type::Dictionary:
      return arrow::dictionary(arrow::int32(), arrow::utf8());
    case Type::Text:
      return arrow::utf8();
    case Type::Binary:
      return arrow::binary();
  }
  return arrow::null();
}

// A buffer over memory of the caller, valid until the batch is written.
template <class T>
std::shared_ptr<arrow::Buffer> view(const T& values) {
  return std::make_shared<arrow::Buffer>(
      reinterpret_cast<const uint8_t*>(values.data()),
      static_cast<int64_t>(values.size() * sizeof(*values.data())));
}

class BatchFile final : public ArrowFile {
 public:
  BatchFile(std::string path, std::vector<ArrowColumn> columns)
      : path_(std::move(path)), columns_(std::move(columns)) {}

  Result<> open(ArrowKind kind, int fd) { return result_of(open_file(kind, fd)); }
  Result<> write(std::span<const ArrowValues> values, int64_t rows) override {
    return result_of(write_batch(values, rows));
  }
  Result<> finish() override { return result_of(close()); }

 private:
  Result<> result_of(const arrow::Status& status) const {
    if (status.ok()) return {};
    return fail(ErrorCode::Io, "cannot write " + path_ + ": " + status.message());
  }

  arrow::Status open_file(ArrowKind kind, int fd) {
    arrow::FieldVector fields;
    for (ArrowColumn& column : columns_) {
      fields.push_back(arrow::field(column.name, type_of(column)));
      ARROW_ASSIGN_OR_RAISE(dictionaries_.emplace_back(), dictionary_of(column));
      column.texts = {};
    }
    schema_ = arrow::schema(fields);
    // FileOutputStream closes the descriptor that it is given.
    ARROW_ASSIGN_OR_RAISE(out_, arrow::io::FileOutputStream::Open(::dup(fd)));
    if (kind == ArrowKind::Ipc) {
      auto options = arrow::ipc::IpcWriteOptions::Defaults();
      options.memory_pool = pool();
      return arrow::ipc::MakeFileWriter(out_, schema_, options).Value(&ipc_);
    }
    parquet::WriterProperties::Builder properties;
    properties.memory_pool(pool())
        ->compression(parquet::Compression::ZSTD)
        ->max_row_group_length(kGroupRows);
    // Integers have no dictionary, because they are times, durations and references with small
    // differences, and a dictionary would be as long as the column.
    for (const ArrowColumn& column : columns_)
      if (column.type == Type::Integer)
        properties.disable_dictionary(column.name)
            ->encoding(column.name, parquet::Encoding::DELTA_BINARY_PACKED);
    // Stores the schema, so that readers restore dictionaries.
    const auto arrow_properties =
        parquet::ArrowWriterProperties::Builder().store_schema()->set_use_threads(true)->build();
    return parquet::arrow::FileWriter::Open(*schema_, pool(), out_, properties.build(),
                                            arrow_properties)
        .Value(&parquet_);
  }

  // Returns the dictionary, which all batches share.
  static arrow::Result<std::shared_ptr<arrow::Array>> dictionary_of(const ArrowColumn& column) {
    arrow::StringBuilder texts(pool());
    for (const std::string_view text : column.texts) ARROW_RETURN_NOT_OK(texts.Append(text));
    return texts.Finish();
  }

  std::shared_ptr<arrow::Array> array_of(size_t column, const ArrowValues& values) const {
    const auto valid = values.nulls == 0 ? nullptr : view(values.valid);
    switch (columns_[column].type) {
      case Type::Integer:
        return std::make_shared<arrow::Int64Array>(values.rows, view(values.integers), valid,
                                                   values.nulls);
      case Type::Real:
        return std::make_shared<arrow::DoubleArray>(values.rows, view(values.reals), valid,
                                                    values.nulls);
      case Type::Text:
        return std::make_shared<arrow::StringArray>(values.rows, view(values.ends),
                                                    view(values.texts), valid, values.nulls);
      case Type::Binary:
        return std::make_shared<arrow::BinaryArray>(values.rows, view(values.ends),
                                                    view(values.texts), valid, values.nulls);
      case Type::Dictionary:
        break;
    }
    const auto numbers =
        std::make_shared<arrow::Int32Array>(values.rows, view(values.numbers), valid, values.nulls);
    return std::make_shared<arrow::DictionaryArray>(type_of(columns_[column]), numbers,
                                                    dictionaries_[column]);
  }

  arrow::Status write_batch(std::span<const ArrowValues> values, int64_t rows) {
    arrow::ArrayVector arrays;
    for (size_t i = 0; i < columns_.size(); ++i) arrays.push_back(array_of(i, values[i]));
    const auto batch = arrow::RecordBatch::Make(schema_, rows, std::move(arrays));
    if (ipc_ != nullptr) return ipc_->WriteRecordBatch(*batch);
    return parquet_->WriteRecordBatch(*batch);
  }

  arrow::Status close() {
    ARROW_RETURN_NOT_OK(ipc_ != nullptr ? ipc_->Close() : parquet_->Close());
    return out_->Close();
  }

  std::string path_;
  std::vector<ArrowColumn> columns_;
  arrow::ArrayVector dictionaries_;  // by column; null for columns without one
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc_;
  std::unique_ptr<parquet::arrow::FileWriter> parquet_;
};

}  // namespace
}  // namespace tracebraid

extern "C" __attribute__((visibility("default"))) void tracebraid_make_arrow_file(
    tracebraid::ArrowKind kind, int fd, const std::string& path,
    std::vector<tracebraid::ArrowColumn> columns,
    tracebraid::Result<std::unique_ptr<tracebraid::ArrowFile>>& made) {
  auto file = std::make_unique<tracebraid::BatchFile>(path, std::move(columns));
  if (auto opened = file->open(kind, fd); !opened)
    made = tl::unexpected(std::move(opened).error());
  else
    made = std::move(file);
}
