// The content of each file. Input: a Store; `info` prints the report.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "merge/problem.h"

namespace tracebraid {

struct Store;

struct SeenClock {
  std::string machine, clock;
  std::optional<int64_t> sequence;  // the sequence that owns the clock
  int64_t events = 0;               // events in this clock, placed or dropped
  int64_t readings = 0;             // readings in snapshots
};

struct FileReport {
  std::string path, format;
  std::optional<uint32_t> parent;  // index of its archive in the list
  int64_t size = 0;                // bytes, uncompressed
  bool is_container = false;
  bool read = false;  // false: the tables have no data of the file
  std::vector<std::string> machines;
  std::vector<SeenClock> clocks;
  std::vector<std::pair<std::string, int64_t>> events;  // number of its rows, by table
  std::optional<int64_t> first_ts, last_ts;
  std::vector<std::string> assumed;  // assumptions about what the file does not state
  std::vector<std::string> problems;
  std::vector<NotImportedOfFile> not_imported;
};

// Rows of tables that belong to a machine rather than to a file: scheduling, logs, samples ...
struct MachineRows {
  std::string machine;
  std::vector<size_t> files;  // indexes of the files with events of the machine
  std::vector<std::pair<std::string, int64_t>> rows;  // number of its rows, by table
};

struct FilesReport {
  std::vector<FileReport> files;      // by row of trace_file
  std::vector<MachineRows> machines;  // that have such rows, in the order of the table machine
};

// If a machine has one file, FileReport::events of this file has the machine's rows, too.
FilesReport files_report(const Store& store, std::span<const Problem> problems,
                         std::span<const NotImportedOfFile> not_imported);

// Returns the row counts of all non-empty tables of the trace, by public name.
std::vector<std::pair<std::string, int64_t>> table_rows(const Store& store);

// Wraps lines at the `width` of a terminal; 0 keeps most lines whole.
std::string files_text(const FilesReport& report, const Store& store, size_t width = 0);
std::string files_json(const FilesReport& report, const Store& store);

}  // namespace tracebraid
