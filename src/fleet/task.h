// Task: what a worker process does with one group, as a line of JSON. The Python package writes
// such lines, too (python/tracebraid/_fleet/worker.py), and is the only one that asks for tables.
//
// Input: groups and what is done with each, or lines. Output: lines, or tasks. Called by the pool
// and by workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/group.h"
#include "query/batch/record_batch.h"

namespace tracebraid::fleet {

// A statement with the columns of its rows, all of which are known before a trace is read.
struct StatementTask {
  std::string sql;
  std::vector<Field> fields;
  std::optional<size_t> machine_column;  // the column from which `_machine` follows
};

// A table of a lake, and the statement of its rows.
struct TableTask {
  std::string name;
  StatementTask statement;
};

// What is done with each group.
struct Ask {
  StatementTask statement;  // not used if there are tables
  // The rows of tables go to a lake. Groups then have facts that describe them, too.
  std::optional<std::vector<TableTask>> tables = {};
  bool full = false;                                         // facts of provenance
  std::string check;                                         // "", strict, all
  double timeout = 600;                                      // seconds
  uint64_t memory_limit = 0;                                 // bytes
  uint64_t max_rows = 0;                                     // 0: no limit
  std::vector<std::pair<std::string, std::string>> options;  // keys of OpenOptions, and values
};

struct Task {
  Ask ask;
  std::vector<std::string> paths;
  std::vector<int64_t> sizes;  // -1: not known
  std::string manifest;
};

// Returns the letter of a type, as Arrow's C interface has it: l, g, u, z.
char letter_of(DataType type);
// Returns [["name","l","meaning"],...].
std::string fields_json(const std::vector<Field>& fields);

// Returns the line without a line end. A path that is not UTF-8 is an object {"hex":bytes}.
std::string task_line(const Ask& ask, const Group& group);
// Error Usage: the line is no task.
Result<Task> parse_task(std::string_view line);

}  // namespace tracebraid::fleet
