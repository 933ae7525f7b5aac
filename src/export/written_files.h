// WrittenFiles: the files of an export. They get their names together, when all are complete.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "export/export.h"

namespace tracebraid {

// The list of the files of an export, in its folder: one relative path a line. Readers of folders
// of traces, Parquet and CSV skip hidden files.
inline constexpr std::string_view kExportList = ".tracebraid-export";

class WrittenFiles {
 public:
  explicit WrittenFiles(const HostFiles& files) : host_(files) {}

  // Makes the folder of the export, unless it exists. Returns an Error of code Usage if it holds
  // files that no earlier export wrote, unless `force` is set.
  Result<> open_folder(const std::string& path, bool force);
  // Makes a folder inside that folder.
  static Result<> make_folder(const std::string& path);

  // Returns a file to write. An Error of code Usage, unless the folder was opened with `force`, if
  // the path is in the folder and a file that no earlier export wrote has it.
  Result<NewFile> create(const std::string& path);
  // Adds a complete file with `rows` rows.
  Result<> add(NewFile file, uint64_t rows);
  // Gives all files their names, and lists them in the folder. Removes files with the given ending
  // that an earlier export wrote to the folder and this one does not.
  Result<ExportReport> finish(std::string_view ending) &&;

 private:
  Result<> list_files(std::string_view ending);
  std::string inside(const std::string& path) const;  // relative to the folder

  const HostFiles& host_;
  ExportReport report_;
  std::vector<NewFile> files_;
  std::string folder_;  // empty: single files
  bool force_ = false;
  std::set<std::string> earlier_;  // files of an earlier export, relative to the folder
};

// Returns an Error of code Usage if the folder `path` holds files that no earlier export wrote.
Result<> check_export_folder(const std::string& path);

}  // namespace tracebraid
