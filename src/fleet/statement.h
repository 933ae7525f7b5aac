// Statement: what is known of a statement before any trace is read: the columns of its rows.
//
// Input: SQL, types and options. Output: a Statement. Called by the command `fleet`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/options.h"
#include "fleet/group.h"
#include "fleet/task.h"
#include "query/batch/record_batch.h"

namespace tracebraid::fleet {

// Columns of a statement from which `_machine` follows, and the SQL that returns their values with
// rows of `machine`.
struct MachineKey {
  std::string_view column, sql;
};
inline constexpr MachineKey kMachineKeys[] = {
    {"machine_id", "SELECT id, id FROM machine"},
    {"utid", "SELECT utid, machine_id FROM thread"},
    {"upid", "SELECT upid, machine_id FROM process"},
    {"track_id", "SELECT id, machine_id FROM track"},
};

struct StatementRequest {
  std::string sql;
  std::string where;         // a condition for the rows; empty: none
  std::vector<Field> types;  // of columns by name, instead of inferred ones
};

// Finds the columns on empty tables; statements before the last one run there. Errors: Sql; Usage
// for a statement without rows, and for a column whose type does not follow.
Result<StatementTask> compile(const StatementRequest& request, const OpenOptions& options);

// The columns in front of the statement's. Workers send `_machine`, which stands behind them.
class FrontColumns {
 public:
  // `full`: with those of provenance and what the groups carry.
  FrontColumns(bool full, const std::vector<Group>& groups);

  // Returns all columns, with `_machine` if the statement has it.
  std::vector<Field> fields(const StatementTask& statement) const;
  // Returns the fields that frames of workers have.
  static std::vector<Field> sent_fields(const StatementTask& statement);
  // Adds the columns of a group to the front of a batch of sent_fields(). `facts`: JSON, the head
  // of the frame that ended the group. `all` is the schema of fields().
  RecordBatch with_front(const Group& group, std::string_view facts, RecordBatch batch,
                         std::shared_ptr<const Schema> all) const;

 private:
  std::vector<Field> fields_;
  std::vector<std::string> carried_;
};

}  // namespace tracebraid::fleet
