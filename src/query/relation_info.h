// RelationInfo: a table or view, also one that a statement made.
#pragma once

#include <string>
#include <vector>

namespace tracebraid {

struct RelationInfo {
  std::string name, sql;  // `sql` is empty for raw tables
  std::vector<std::string> columns;
};

}  // namespace tracebraid
