// Exporters: what writes a merged trace for other programs. A kind is one line
// in exporters.inc and one function.
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
  std::string path;  // file, or folder of the kinds that write several files
  SelectionRequest selection;
  std::vector<std::string> tables;  // empty: all public ones
  std::string query;                // instead of tables
  bool by_machine = false;          // files of each machine in a folder of its own
};

// What an exporter tells its user besides the file.
struct ExportReport {
  uint64_t rows = 0;               // or events
  uint64_t bytes = 0;              // written
  std::vector<std::string> notes;  // what the format has no place for, with counts
};

struct Exporter {
  std::string_view name;   // --to
  std::string_view about;  // for people
  // Writes whole files or none. Progress: stages "exporting ...".
  Result<ExportReport> (*write)(Session& session, const ExportRequest& request, Progress& progress);
};

std::span<const Exporter> all_exporters();
// Null if there is none of that name.
const Exporter* find_exporter(std::string_view name);

// Public tables and views in the order of the schema, without aliases; or those of
// request.tables, each of which must exist.
Result<std::vector<RelationInfo>> exported_relations(Session& session,
                                                     const ExportRequest& request);

}  // namespace tracebraid
