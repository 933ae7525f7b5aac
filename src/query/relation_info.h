// RelationInfo: a table or view, including those that statements created.
#pragma once

#include <string>
#include <vector>

namespace tracebraid {

struct RelationInfo {
  std::string name, sql;  // `sql` is empty for raw tables
  std::vector<std::string> columns;
};

}  // namespace tracebraid
