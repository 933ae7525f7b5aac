// Exporters: write a merged trace for other programs. Input: an opened trace and an ExportRequest;
// output: files and an ExportReport. Called by `tracebraid export`. A kind is one line in
// exporters.inc and one function.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "engine/session.h"
#include "export/selection.h"

namespace tracebraid {

struct ExportRequest {
  std::string path;  // the file, or the folder for kinds that write several files
  SelectionRequest selection;
  std::vector<std::string> tables;  // empty: all public tables
  std::string query;                // excludes tables
  bool by_machine = false;          // one folder of files per machine
};

// The result of an export besides its files.
struct ExportReport {
  uint64_t rows = 0;               // or number of events
  uint64_t bytes = 0;              // written
  std::vector<std::string> notes;  // data that the format cannot represent, with counts
};

struct Exporter {
  std::string_view name;   // --to
  std::string_view about;  // description for help
  // Writes all files completely, or none. Progress: stages "exporting ...".
  Result<ExportReport> (*write)(Session& session, const ExportRequest& request, Progress& progress);
};

std::span<const Exporter> all_exporters();
// Returns null for an unknown name.
const Exporter* find_exporter(std::string_view name);

// Returns the public tables and views in the order of the schema, without aliases; or
// request.tables, each of which must exist.
Result<std::vector<RelationInfo>> exported_relations(Session& session,
                                                     const ExportRequest& request);

}  // namespace tracebraid
