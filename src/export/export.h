// Exporters: write a merged trace for other programs. Input: an ExportSource and an ExportRequest;
// output: files and an ExportReport. The engine calls them (engine/export.h). A kind is one line in
// exporters.inc and one function.
//
// Input: an opened trace and an ExportRequest. Output: files. Called by cli.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "export/request.h"
#include "export/selection.h"
#include "export/source.h"

namespace tracebraid {

struct Exporter {
  std::string_view name;   // --to
  std::string_view about;  // description for help
  // Writes all files completely, or none. Progress: stages "exporting ...".
  Result<ExportReport> (*write)(const ExportSource& source, const ExportRequest& request,
                                Progress& progress);
  bool writes_folders = false;  // one file per table, unless one table or a query is exported
};

std::span<const Exporter> all_exporters();
// Returns null for an unknown name.
const Exporter* find_exporter(std::string_view name);

// Returns the public tables and views in the order of the schema, without aliases; or
// request.tables, each of which must exist.
Result<std::vector<RelationInfo>> exported_relations(const ExportSource& source,
                                                     const ExportRequest& request);
// Returns those of which a folder gets a file: args_full only if it is requested or differs from
// args, because each file is a copy of the rows.
Result<std::vector<RelationInfo>> copied_relations(const ExportSource& source,
                                                   const ExportRequest& request);

}  // namespace tracebraid
