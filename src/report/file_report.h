// What is in each file: `info` prints it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "merge/merge.h"
#include "tables/store.h"

namespace tracebraid {

struct SeenClock {
  std::string machine, clock;
  std::optional<int64_t> sequence;  // the writer that the clock is private to
  int64_t events = 0;               // in this clock, placed or lost
  int64_t readings = 0;             // in snapshots
};

struct FileReport {
  std::string path, format;
  std::optional<uint32_t> parent;  // the archive it is in, by its place in the list
  int64_t size = 0;                // bytes, uncompressed
  bool is_container = false;
  bool read = false;  // false: nothing of it is in the tables
  std::vector<std::string> machines;
  std::vector<SeenClock> clocks;
  std::vector<std::pair<std::string, int64_t>> events;  // rows it gave, by table
  std::optional<int64_t> first_ts, last_ts;
  std::vector<std::string> assumed;  // what the file does not say, and was taken to be so
  std::vector<std::string> problems;
  std::vector<NotImportedOfFile> not_imported;
};

std::vector<FileReport> file_reports(const Store& store, std::span<const Problem> problems,
                                     std::span<const NotImportedOfFile> not_imported);

// Rows of each table of the whole trace that has any, by public name.
std::vector<std::pair<std::string, int64_t>> table_rows(const Store& store);

std::string files_text(std::span<const FileReport> files, const Store& store);
std::string files_json(std::span<const FileReport> files, const Store& store);

}  // namespace tracebraid
