// ExportSource: what an exporter reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/host_files.h"
#include "base/result.h"
#include "merge/merge.h"
#include "query/compile/connection.h"

namespace tracebraid {

// A merged trace, all of whose tables are verified, and a connection over it. Both outlive the
// export, and no one else uses the connection meanwhile.
struct ExportSource {
  const Merged& merged;
  Connection& connection;
  const HostFiles& files;            // for outputs
  const std::string& plugin_folder;  // where libtracebraid_arrow.so is

  const Store& store() const { return *merged.store; }
  Result<> query(std::string_view sql, BatchSink& sink) const { return run(connection, sql, sink); }
  std::vector<RelationInfo> relations() const { return connection.relations(); }
  std::optional<StoredRelation> stored_relation(std::string_view name) const {
    return connection.stored_relation(name);
  }
};

}  // namespace tracebraid
