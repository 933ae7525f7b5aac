#include "fleet/output.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "export/arrow/arrow_file.h"

namespace tracebraid::fleet {
namespace {

class TextFile final : public RowFile {
 public:
  TextFile(NewFile file, std::string_view format)
      : file_(std::move(file)),
        out_([this](std::string_view bytes) {
          if (!failed_)
            if (Result<> written = file_.write(bytes); !written) failed_ = written.error();
          return !failed_;
        }),
        rows_(make_text_rows(format, out_)) {}

  Result<> begin(std::shared_ptr<const Schema> schema) override {
    rows_->begin(*schema);
    return {};
  }
  Result<> add(const RecordBatch& batch) override {
    rows_->add(batch);
    return result();
  }
  Result<> finish() override {
    rows_->end();
    out_.flush();
    TB_TRY(result());
    return file_.finish();
  }

 private:
  Result<> result() const {
    if (failed_) return tl::unexpected(*failed_);
    return {};
  }

  NewFile file_;
  std::optional<Error> failed_;
  Output out_;
  std::unique_ptr<BatchSink> rows_;
};

ArrowColumn::Type arrow_type(DataType type) {
  switch (type) {
    case DataType::Int64:
      return ArrowColumn::Type::Integer;
    case DataType::Float64:
      return ArrowColumn::Type::Real;
    case DataType::Binary:
      return ArrowColumn::Type::Binary;
    default:
      return ArrowColumn::Type::Text;
  }
}

void take_validity(const ArrayData& array, ArrowValues& values) {
  values.mark_all(array.length, [&](size_t row) { return !array.is_null(row); });
}

ArrowValues arrow_values(const ArrayData& array) {
  ArrowValues values;
  if (array.type == DataType::Int64) {
    const auto* begin = array.values.as<int64_t>();
    values.integers.assign(begin, begin + array.length);
  } else if (array.type == DataType::Float64) {
    const auto* begin = array.values.as<double>();
    values.reals.assign(begin, begin + array.length);
  } else {
    const auto* ends = array.values.as<int32_t>();
    values.ends.assign(ends, ends + array.length + 1);
    values.texts.assign(array.bytes.as<char>(), static_cast<size_t>(values.ends.back()));
  }
  take_validity(array, values);
  return values;
}

class ArrowRows final : public RowFile {
 public:
  ArrowRows(NewFile file, ArrowKind kind, MakeArrowFile make)
      : file_(std::move(file)), kind_(kind), make_(make) {}

  Result<> begin(std::shared_ptr<const Schema> schema) override {
    std::vector<ArrowColumn> columns;
    for (const Field& field : schema->fields)
      columns.push_back({field.name, arrow_type(field.type), {}});
    Result<std::unique_ptr<ArrowFile>> made;
    make_(kind_, file_.fd(), file_.path(), std::move(columns), made);
    TB_TRY_ASSIGN(rows_, std::move(made));
    return {};
  }
  Result<> add(const RecordBatch& batch) override {
    std::vector<ArrowValues> values;
    for (const ArrayData& column : batch.columns) values.push_back(arrow_values(column));
    return rows_->write(values, static_cast<int64_t>(batch.rows));
  }
  Result<> finish() override {
    TB_TRY(rows_->finish());
    return file_.finish();
  }

 private:
  NewFile file_;
  ArrowKind kind_;
  MakeArrowFile make_;
  std::unique_ptr<ArrowFile> rows_;
};

}  // namespace

const std::vector<std::string_view>& output_formats() {
  static const std::vector<std::string_view> kFormats = {"csv", "tsv", "jsonl", "parquet", "arrow"};
  return kFormats;
}

bool is_text_format(std::string_view format) { return format != "parquet" && format != "arrow"; }

std::string output_file_of(const std::string& path) {
  std::error_code failed;
  const bool is_folder = path.ends_with('/') || std::filesystem::is_directory(path, failed);
  if (!is_folder) return path;
  return path + (path.ends_with('/') ? "" : "/") + "part-0.parquet";
}

std::string output_format_of(const std::string& path, const std::string& given) {
  if (!given.empty()) return given;
  std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const bool is_known = std::ranges::find(output_formats(), ending) != output_formats().end();
  return is_known ? ending : "csv";
}

std::unique_ptr<BatchSink> make_text_rows(std::string_view format, Output& out) {
  return find_row_format(format == "jsonl" ? "ndjson" : format)->make(out, {});
}

Result<> check_format(std::string_view format, const std::string& plugin_folder) {
  if (is_text_format(format)) return {};
  TB_TRY(load_arrow_library(plugin_folder));
  return {};
}

Result<std::unique_ptr<RowFile>> open_row_file(const std::string& path, std::string_view format,
                                               const std::string& plugin_folder,
                                               const HostFiles& files) {
  MakeArrowFile make = nullptr;
  if (!is_text_format(format)) {
    TB_TRY_ASSIGN(make, load_arrow_library(plugin_folder));
  }
  TB_TRY_ASSIGN(NewFile file, NewFile::create(path, files));
  if (make == nullptr) return std::make_unique<TextFile>(std::move(file), format);
  const ArrowKind kind = format == "parquet" ? ArrowKind::Parquet : ArrowKind::Ipc;
  return std::make_unique<ArrowRows>(std::move(file), kind, make);
}

}  // namespace tracebraid::fleet
