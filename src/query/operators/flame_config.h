// FlameConfig: the options of a flamegraph query, as a pointer value (spec sql-dialect 3.11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/operators/operator_context.h"

namespace tracebraid {

enum class FlameView : uint8_t { TopDown, BottomUp, Pivot, FromFrame };
enum class FlameFilter : uint8_t { ShowStack, HideStack, HideFrame };
enum class FlameAggregate : uint8_t { Sum, OneOrSummary, Concat };

struct FlamePattern {
  std::string pattern;
  bool ignores_case = false;
};

struct FlameConfig {
  static constexpr const char* kPointerName = "FLAMEGRAPH_CONFIG";
  struct Filter {
    FlameFilter kind;
    FlamePattern pattern;
  };
  struct Aggregate {
    FlameAggregate kind;
    std::string output, column;
  };
  std::vector<std::string> values;
  FlameView view = FlameView::TopDown;
  std::optional<FlamePattern> view_pattern = {};
  std::vector<Filter> filters = {};
  std::vector<std::string> grouping = {};
  std::vector<Aggregate> aggregates = {};
};

// `arguments`: tags, each followed by its values. Error: Sql.
Result<FlameConfig> flame_config(const std::vector<std::optional<std::string>>& arguments);

// Adds __intrinsic_flamegraph_config. The context must outlive the connection.
Result<> add_flame_config(OperatorContext& context);

}  // namespace tracebraid
