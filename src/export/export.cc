#include "export/export.h"

#include <fmt/format.h>

#include <algorithm>

#include "tables/dialect_views.h"
#include "tables/registry.h"

namespace tracebraid {

#define TB_EXPORTER(name) extern const Exporter name##_exporter;
#include "export/exporters.inc"
#undef TB_EXPORTER

std::span<const Exporter> all_exporters() {
  static const std::vector<Exporter> kExporters = {
#define TB_EXPORTER(name) name##_exporter,
#include "export/exporters.inc"
#undef TB_EXPORTER
  };
  return kExporters;
}

const Exporter* find_exporter(std::string_view name) {
  const auto exporters = all_exporters();
  const auto found = std::ranges::find(exporters, name, &Exporter::name);
  return found == exporters.end() ? nullptr : &*found;
}

Result<std::vector<RelationInfo>> exported_relations(const ExportSource& source,
                                                     const ExportRequest& request) {
  const std::vector<RelationInfo> all = source.relations();
  std::vector<RelationInfo> taken;
  for (const std::string& name : request.tables) {
    const auto found = std::ranges::find(all, name, &RelationInfo::name);
    if (found == all.end())
      return fail(ErrorCode::NotFound, fmt::format("there is no table '{}'", name));
    if (std::ranges::count(taken, name, &RelationInfo::name) == 0) taken.push_back(*found);
  }
  if (!request.tables.empty()) return taken;
  for (const RelationInfo& relation : all) {
    const bool is_internal = relation.name.starts_with('_') || relation.name.starts_with("sqlite_");
    const RelationDeclaration* declared = find_relation(relation.name);
    const bool is_alias = declared != nullptr && declared->is_alias;
    if (!is_internal && !is_alias && !is_dialect_view(relation.name)) taken.push_back(relation);
  }
  return taken;
}

Result<std::vector<RelationInfo>> copied_relations(const ExportSource& source,
                                                   const ExportRequest& request) {
  TB_TRY_ASSIGN(std::vector<RelationInfo> relations, exported_relations(source, request));
  if (request.tables.empty() && !source.store().args.has_details())
    std::erase_if(relations, [](const RelationInfo& each) { return each.name == "args_full"; });
  return relations;
}

}  // namespace tracebraid
