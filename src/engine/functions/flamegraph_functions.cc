// experimental_flamegraph: profiles as trees (spec sql-dialect 3.11).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/words.h"
#include "engine/functions/computed_rows.h"
#include "engine/functions/profile_sources.h"
#include "engine/functions/table_functions.h"

namespace tracebraid {
namespace {

enum Argument : uint8_t { kType, kTs, kTsConstraint, kUpid, kUpidGroup, kFocus, kArguments };

Error error(std::string_view text) {
  return {ErrorCode::Sql, fmt::format("experimental_flamegraph: {}", text)};
}

// One comparison of a list such as ">=5,<9".
struct TimeBound {
  std::string_view comparison;
  int64_t ts;
  bool holds(int64_t other) const {
    if (comparison == ">=") return other >= ts;
    if (comparison == "<=") return other <= ts;
    if (comparison == ">") return other > ts;
    if (comparison == "<") return other < ts;
    return other == ts;
  }
};

// Removes the text up to the next comma from `list`. Returns it without blanks around it.
std::string_view take_item(std::string_view& list) {
  const size_t comma = std::min(list.find(','), list.size());
  std::string_view item = list.substr(0, comma);
  list.remove_prefix(std::min(comma + 1, list.size()));
  while (item.starts_with(' ')) item.remove_prefix(1);
  while (item.ends_with(' ')) item.remove_suffix(1);
  return item;
}

Result<std::vector<TimeBound>> time_bounds(std::string_view list) {
  static constexpr auto kComparisons =
      std::to_array<std::string_view>({">=", "<=", "==", "=", ">", "<"});
  std::vector<TimeBound> bounds;
  while (!list.empty()) {
    std::string_view item = take_item(list);
    const auto* const comparison = std::ranges::find_if(
        kComparisons, [&](std::string_view text) { return item.starts_with(text); });
    if (comparison == kComparisons.end()) return tl::unexpected(error("Unknown time constraint"));
    item.remove_prefix(comparison->size());
    const std::optional<int64_t> ts = parse_decimal(item);
    if (!ts) return tl::unexpected(error("Unknown time constraint"));
    bounds.push_back({*comparison, *ts});
  }
  return bounds;
}

Result<ProfileSelection> selection_of(std::span<const Cell> arguments, bool is_snapshot) {
  ProfileSelection selection;
  std::vector<TimeBound> bounds;
  if (arguments[kTs].kind == Cell::Kind::Int)
    bounds.push_back({is_snapshot ? "=" : "<=", arguments[kTs].integer});
  if (arguments[kTsConstraint].kind == Cell::Kind::Text) {
    TB_TRY_ASSIGN(const std::vector<TimeBound> more, time_bounds(arguments[kTsConstraint].text));
    bounds.insert(bounds.end(), more.begin(), more.end());
  }
  if (bounds.empty()) return tl::unexpected(error("one of ts and ts_constraints must not be null"));
  selection.has_time = [bounds = std::move(bounds)](int64_t ts) {
    return std::ranges::all_of(bounds, [ts](const TimeBound& bound) { return bound.holds(ts); });
  };
  if (arguments[kUpid].kind == Cell::Kind::Int) selection.upids.insert(arguments[kUpid].integer);
  if (arguments[kUpidGroup].kind == Cell::Kind::Text) {
    std::string_view list = arguments[kUpidGroup].text;
    while (!list.empty())
      if (const auto upid = parse_decimal(take_item(list))) selection.upids.insert(*upid);
  }
  if (arguments[kUpid].kind != Cell::Kind::Int && arguments[kUpidGroup].kind != Cell::Kind::Text)
    return tl::unexpected(error("one of upid or upid_group must not be null"));
  return selection;
}

class Flamegraph final : public ComputedFunctionRows {
 public:
  explicit Flamegraph(const Store& store) : store_(store) {}

  Cell cell(size_t row, size_t column) const override {
    const ProfileTree::Node& node = tree_.nodes()[row];
    const auto text = [](std::string_view value) {
      return value.empty() ? Cell::null() : Cell::of(value);
    };
    switch (column) {
      case 0:
        return Cell::of(static_cast<int64_t>(row));
      case 1:
        return Cell::of(std::string_view(texts_of_arguments_[kType]));
      case 2:
      case 7:
        return ts_;
      case 3:
        return text(texts_of_arguments_[kTsConstraint]);
      case 4:
        return upid_;
      case 5:
        return text(texts_of_arguments_[kUpidGroup]);
      case 6:
        return text(texts_of_arguments_[kFocus]);
      case 8:
        return Cell::of(int64_t{node.depth});
      case 9:
        return Cell::of(node.function.name);
      case 10:
        return Cell::of(node.function.mapping);
      case 11:
        return Cell::of(node.self.count);
      case 12:
        return Cell::of(node.total.count);
      case 13:
        return Cell::of(node.self.size);
      case 14:
        return Cell::of(node.total.size);
      case 15:
        return Cell::of(node.self.alloc_count);
      case 16:
        return Cell::of(node.total.alloc_count);
      case 17:
        return Cell::of(node.self.alloc_size);
      case 18:
        return Cell::of(node.total.alloc_size);
      case 19:
        return node.parent == ProfileTree::kNone ? Cell::null() : Cell::of(int64_t{node.parent});
      case 20:
        return text(node.function.source_file);
      default:
        return node.function.line == ProfileFunction::kNoLine ? Cell::null()
                                                              : Cell::of(node.function.line);
    }
  }

 private:
  Result<size_t> compute(std::span<const Cell> arguments) override {
    tree_ = {};
    texts_.clear();
    if (arguments[kType].kind != Cell::Kind::Text)
      return tl::unexpected(error("profile_type must be an string"));
    const std::string_view type = arguments[kType].text;
    const bool is_graph = type == "graph", is_native = type == "native";
    if (!is_graph && !is_native && type != "perf")
      return tl::unexpected(error(fmt::format("Could not recognize profile type: {}.", type)));
    TB_TRY_ASSIGN(const ProfileSelection selection, selection_of(arguments, is_graph));
    for (size_t i = 0; i < kArguments; ++i)
      texts_of_arguments_[i] =
          arguments[i].kind == Cell::Kind::Text ? std::string(arguments[i].text) : "";
    ts_ = arguments[kTs].kind == Cell::Kind::Int ? arguments[kTs] : Cell::null();
    upid_ = arguments[kUpid].kind == Cell::Kind::Int ? arguments[kUpid] : Cell::null();
    if (is_graph) {
      TB_TRY(add_heap_graph(store_, selection, stop, texts_, tree_));
    } else if (is_native) {
      TB_TRY(add_heap_profile(store_, selection, stop, tree_));
    } else {
      TB_TRY(add_perf_samples(store_, selection, stop, tree_));
    }
    if (tree_.nodes().empty()) return fail(ErrorCode::Sql, "Failed to build flamegraph");
    const StopCheck never;
    const StopCheck& checked = stop == nullptr ? never : *stop;
    if (!texts_of_arguments_[kFocus].empty())
      TB_TRY(tree_.focus(texts_of_arguments_[kFocus], checked));
    TB_TRY(tree_.sum(checked));
    return tree_.nodes().size();
  }

  const Store& store_;
  ProfileTree tree_;
  OwnedTexts texts_;
  std::array<std::string, kArguments> texts_of_arguments_;
  Cell ts_ = Cell::null(), upid_ = Cell::null();
};

}  // namespace

std::vector<TableFunction> flamegraph_functions(const Store& store) {
  constexpr SqlType kInteger = SqlType::Integer, kText = SqlType::Text;
  return {{"experimental_flamegraph",
           "A profile as a tree. Functions below one caller with equal name, mapping, source file "
           "and line are one node. Without a callstack it is an error.",
           {{"profile_type", "STRING",
             "native: heap profiles; perf: samples of Linux perf; graph: Java heap dumps."},
            {"ts", "TIMESTAMP",
             "Up to this time, ns; of graph: the dump of this time. NULL: see ts_constraint."},
            {"ts_constraint", "STRING",
             "Comparisons of the time, separated by commas: >=5,<9. May be NULL."},
            {"upid", "LONG", "Row of process. NULL: see upid_group."},
            {"upid_group", "STRING", "Rows of process, separated by commas. May be NULL."},
            {"focus_str", "STRING",
             "Only callstacks with a function whose name contains this text. May be NULL."}},
           {{"id", kInteger, "Number of the node, from 0; parents first."},
            {"profile_type", kText, "The argument."},
            {"ts_in", kInteger, "The argument ts."},
            {"ts_constraint", kText, "The argument."},
            {"upid", kInteger, "The argument."},
            {"upid_group", kText, "The argument."},
            {"focus_str", kText, "The argument."},
            {"ts", kInteger, "The argument ts."},
            {"depth", kInteger, "0 for a root."},
            {"name", kText, "Function; of graph: class, at a root with the kind of root."},
            {"map_name", kText, "Binary or library; of graph: JAVA."},
            {"count", kInteger, "Allocations less frees, samples or objects of the node itself."},
            {"cumulative_count", kInteger, "The same with all nodes below."},
            {"size", kInteger, "Bytes, or samples, of the node itself."},
            {"cumulative_size", kInteger, "The same with all nodes below."},
            {"alloc_count", kInteger, "Allocations of the node itself."},
            {"cumulative_alloc_count", kInteger, "The same with all nodes below."},
            {"alloc_size", kInteger, "Allocated bytes of the node itself."},
            {"cumulative_alloc_size", kInteger, "The same with all nodes below."},
            {"parent_id", kInteger, "Node of the caller; NULL for a root."},
            {"source_file", kText, "Source file, if known."},
            {"line_number", kInteger, "Line in the source file, if known."}},
           [&store] { return std::make_unique<Flamegraph>(store); },
           {HeapProfileAllocationTable::kName, HeapGraphObjectTable::kName,
            HeapGraphReferenceTable::kName, HeapGraphClassTable::kName, ProfilerSampleTable::kName,
            ProfilerTaskContextTable::kName, ThreadTable::kName, StackCallsiteTable::kName,
            StackFrameTable::kName, StackSymbolTable::kName, StackMappingTable::kName}}};
}

}  // namespace tracebraid
