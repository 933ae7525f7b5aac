#include "assemble/args/unlisted_args.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <utility>

#include "event/arg_path.h"

namespace tracebraid {
namespace {

// The leaves that stay, and the objects and arrays around them.
class Tree {
 public:
  // Returns false, and adds nothing, if the leaf contradicts one of the tree.
  bool add(std::string_view path) {
    if (leaves_.contains(path) || containers_.contains(path)) return false;
    around_.clear();
    ArgSteps steps(path);
    while (const auto step = steps.next()) {
      if (step->begin == 0) continue;
      const std::string_view container = path.substr(0, step->begin);
      const Kind kind = step->index ? Kind::Array : Kind::Object;
      const auto known = containers_.find(container);
      if (leaves_.contains(container) || (known != containers_.end() && known->second != kind))
        return false;
      around_.emplace_back(container, kind);
    }
    leaves_.insert(path);
    containers_.insert(around_.begin(), around_.end());
    return true;
  }

 private:
  enum class Kind : uint8_t { Object, Array };
  absl::flat_hash_set<std::string_view> leaves_;
  absl::flat_hash_map<std::string_view, Kind> containers_;
  std::vector<std::pair<std::string_view, Kind>> around_;
};

bool is_empty_container(const ArgRow& row) {
  return row.type == ArgType::EmptyArray || row.type == ArgType::EmptyObject;
}

}  // namespace

void drop_contradictions(std::vector<ArgRow>& rows,
                         absl::FunctionRef<std::string_view(const ArgRow&)> path_of) {
  Tree tree;
  std::vector<bool> dropped(rows.size());
  for (const ArgRow& row : rows)
    if (!row.unlisted) tree.add(path_of(row));
  for (const bool containers : {false, true})
    for (size_t i = rows.size(); i-- > 0;)
      if (rows[i].unlisted && is_empty_container(rows[i]) == containers)
        dropped[i] = !tree.add(path_of(rows[i]));
  size_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i)
    if (!dropped[i]) rows[kept++] = rows[i];
  rows.resize(kept);
}

}  // namespace tracebraid
