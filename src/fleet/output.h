// The rows of a fleet as text, Parquet or Arrow. Input: batches. Output: bytes or a file. Called by
// fleet/run.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "engine/rows.h"
#include "query/batch/batch_sink.h"

namespace tracebraid::fleet {

// Returns csv, tsv, jsonl, parquet, arrow. Texts are those of `query`; jsonl has an object a line.
const std::vector<std::string_view>& output_formats();
bool is_text_format(std::string_view format);

// Returns the file that a path of the user names: in a folder, one of Parquet.
std::string output_file_of(const std::string& path);
// Returns the given format, or that of the end of the name, or csv.
std::string output_format_of(const std::string& path, const std::string& given);

// Returns a writer of text. `out` must outlive it.
std::unique_ptr<BatchSink> make_text_rows(std::string_view format, Output& out);

// A file that appears whole, or not at all.
class RowFile {
 public:
  virtual ~RowFile() = default;
  virtual Result<> begin(std::shared_ptr<const Schema> schema) = 0;
  virtual Result<> add(const RecordBatch& batch) = 0;
  // Gives the file its name.
  virtual Result<> finish() = 0;
};
// Returns an Error (Unsupported) if the program cannot write the format. `plugin_folder`: see
// EngineOptions.
Result<> check_format(std::string_view format, const std::string& plugin_folder);
// Errors: those of check_format(); Usage, if `path` is an input of `files`; Io.
Result<std::unique_ptr<RowFile>> open_row_file(const std::string& path, std::string_view format,
                                               const std::string& plugin_folder,
                                               const HostFiles& files);

}  // namespace tracebraid::fleet
