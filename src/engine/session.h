// Session: the door. Programs (cli, later server and python) include only this.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/braid.h"
#include "merge/merge.h"
#include "query/compile/connection.h"

namespace tracebraid {

struct OpenOptions {
  MergeOptions merge;
  unsigned threads = 0;  // 0: as many as the machine has
  // Of a braid: tables are looked at when a query first reads them, and whoever uses store() calls
  // look_at_all() before. Otherwise all are looked at now.
  bool for_queries = false;
};

class Session {
 public:
  // Reads and merges. What went wrong with a part of the input is in
  // problems(), unless options.merge.strict makes it an Error. A braid is the
  // only input, and is mapped; it is as it was merged, whatever the options say.
  static Result<Session> open(std::span<const std::string> inputs, const OpenOptions& options,
                              Progress& progress);

  Result<> query(std::string_view sql, RowSink& sink);
  // Ends the query under way with Cancelled, or the next one, if there is none. Any thread, signal
  // handlers too.
  void interrupt();

  // An Error if something in a braid is damaged.
  Result<> look_at_all();

  const Merged& merged() const { return merged_; }
  const Store& store() const { return *merged_.store; }
  std::span<const Problem> problems() const { return merged_.problems; }
  std::span<const NotImportedOfFile> not_imported() const { return merged_.not_imported; }
  const StageTimes& times() const { return merged_.times; }
  std::vector<RelationInfo> relations() { return connection_->relations(); }
  std::optional<StoredRelation> stored_relation(std::string_view name) {
    return connection_->stored_relation(name);
  }

 private:
  Session(Merged merged, Connection connection);
  static Result<Session> open_merged(Merged merged, std::shared_ptr<BraidTables> tables = nullptr);
  static Result<Session> open_braid_session(const std::string& path, const OpenOptions& options,
                                            unsigned threads);

  std::shared_ptr<const MappedFile> braid_;  // what merged_ views, if it was one
  std::shared_ptr<BraidTables> tables_;      // likewise
  Merged merged_;
  std::unique_ptr<Connection> connection_;
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
};

}  // namespace tracebraid
