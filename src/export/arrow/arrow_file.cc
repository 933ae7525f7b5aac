#include "export/arrow/arrow_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

namespace tracebraid {
namespace {

constexpr int64_t kBatchRows = 64 * 1024;

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
  }
  return arrow::null();
}

Result<> result_of(const arrow::Status& status, const std::string& path) {
  if (status.ok()) return {};
  return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", path, status.message()));
}

std::string text_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::Int) return std::to_string(cell.integer);
  if (cell.kind == Cell::Kind::Real) return fmt::format("{}", cell.real);
  return std::string(cell.text);
}

// The values of one column, until there are enough for a batch.
class Values {
 public:
  explicit Values(ArrowColumn column) : column_(std::move(column)) {}

  // The dictionary is the same in all batches.
  arrow::Status begin() {
    if (column_.type != Type::Dictionary) return arrow::Status::OK();
    arrow::StringBuilder texts;
    for (const std::string_view text : column_.texts) ARROW_RETURN_NOT_OK(texts.Append(text));
    return texts.Finish(&dictionary_);
  }
  arrow::Status add(const Cell& cell) {
    const bool is_null = cell.kind == Cell::Kind::Null;
    switch (column_.type) {
      case Type::Integer:
        return is_null ? integers_.AppendNull() : integers_.Append(cell.integer);
      case Type::Real:
        return is_null
                   ? reals_.AppendNull()
                   : reals_.Append(cell.kind == Cell::Kind::Int ? static_cast<double>(cell.integer)
                                                                : cell.real);
      case Type::Dictionary:
        return is_null ? indices_.AppendNull()
                       : indices_.Append(column_.numbers.find(std::string(cell.text))->second);
      case Type::Text:
        return is_null ? texts_.AppendNull() : texts_.Append(text_of(cell));
    }
    return arrow::Status::OK();
  }
  arrow::Result<std::shared_ptr<arrow::Array>> take() {
    switch (column_.type) {
      case Type::Integer:
        return integers_.Finish();
      case Type::Real:
        return reals_.Finish();
      case Type::Text:
        return texts_.Finish();
      case Type::Dictionary:
        break;
    }
    ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::Array> indices, indices_.Finish());
    return arrow::DictionaryArray::FromArrays(type_of(column_), indices, dictionary_);
  }
  std::shared_ptr<arrow::Field> field() const {
    return arrow::field(column_.name, type_of(column_));
  }

 private:
  ArrowColumn column_;
  std::shared_ptr<arrow::Array> dictionary_;
  arrow::Int64Builder integers_;
  arrow::DoubleBuilder reals_;
  arrow::Int32Builder indices_;
  arrow::StringBuilder texts_;
};

class BatchFile final : public ArrowFile {
 public:
  BatchFile(std::string path, std::vector<ArrowColumn> columns) : path_(std::move(path)) {
    // Not moved once there: texts point into the columns.
    values_.reserve(columns.size());
    for (ArrowColumn& column : columns) values_.emplace_back(std::move(column));
  }

  Result<> open(ArrowKind kind, int fd) { return result_of(open_file(kind, fd), path_); }
  Result<> add(std::span<const Cell> cells) override {
    for (size_t i = 0; i < values_.size(); ++i)
      if (const arrow::Status added = values_[i].add(cells[i]); !added.ok())
        return result_of(added, path_);
    return ++rows_ < kBatchRows ? Result<>() : result_of(write_batch(), path_);
  }
  Result<> finish() override { return result_of(close(), path_); }

 private:
  arrow::Status open_file(ArrowKind kind, int fd) {
    arrow::FieldVector fields;
    for (Values& values : values_) {
      ARROW_RETURN_NOT_OK(values.begin());
      fields.push_back(values.field());
    }
    schema_ = arrow::schema(fields);
    // It closes the descriptor that it is given.
    ARROW_ASSIGN_OR_RAISE(out_, arrow::io::FileOutputStream::Open(::dup(fd)));
    if (kind == ArrowKind::Ipc) {
      ARROW_ASSIGN_OR_RAISE(ipc_, arrow::ipc::MakeFileWriter(out_, schema_));
      return arrow::Status::OK();
    }
    const auto properties =
        parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
    // The schema is kept, so that dictionaries are dictionaries when it is read again.
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ARROW_ASSIGN_OR_RAISE(
        parquet_, parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), out_,
                                                   properties, arrow_properties));
    return arrow::Status::OK();
  }

  arrow::Status write_batch() {
    arrow::ArrayVector arrays;
    for (Values& values : values_) {
      ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Array> array, values.take());
      arrays.push_back(std::move(array));
    }
    const auto batch = arrow::RecordBatch::Make(schema_, rows_, std::move(arrays));
    rows_ = 0;
    if (ipc_ != nullptr) return ipc_->WriteRecordBatch(*batch);
    return parquet_->WriteRecordBatch(*batch);
  }

  arrow::Status close() {
    if (rows_ != 0) ARROW_RETURN_NOT_OK(write_batch());
    ARROW_RETURN_NOT_OK(ipc_ != nullptr ? ipc_->Close() : parquet_->Close());
    return out_->Close();
  }

  std::string path_;
  std::vector<Values> values_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc_;
  std::unique_ptr<parquet::arrow::FileWriter> parquet_;
  int64_t rows_ = 0;
};

}  // namespace

Result<> ArrowFile::available() { return {}; }

Result<std::unique_ptr<ArrowFile>> ArrowFile::create(ArrowKind kind, int fd,
                                                     const std::string& path,
                                                     std::vector<ArrowColumn> columns) {
  auto file = std::make_unique<BatchFile>(path, std::move(columns));
  TB_TRY(file->open(kind, fd));
  return file;
}

}  // namespace tracebraid
