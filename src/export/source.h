// ExportSource: the input of an exporter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/host_files.h"
#include "base/result.h"
#include "braid/braid.h"
#include "merge/merge.h"
#include "query/compile/connection.h"

namespace tracebraid {

// A merged trace with verified tables, and a connection over it. Both outlive the export. The
// exporter is the only user of the connection.
struct ExportSource {
  const Merged& merged;
  Connection& connection;
  const HostFiles& files;            // for outputs
  const std::string& plugin_folder;  // folder of libtracebraid_arrow.so
  QueryOptions limits = {};          // stop and deadline of statements
  BraidExtra timeline = {};          // the index of the timeline, for a braid

  const Store& store() const { return *merged.store; }
  Result<> query(std::string_view sql, BatchSink& sink) const {
    return run(connection, sql, sink, limits);
  }
  std::vector<RelationInfo> relations() const { return connection.relations(); }
  std::optional<StoredRelation> stored_relation(std::string_view name) const {
    return connection.stored_relation(name);
  }
};

}  // namespace tracebraid
