// Table functions that follow the callers of callsites (spec sql-dialect 3.7).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/functions/computed_rows.h"
#include "engine/functions/table_functions.h"

namespace tracebraid {
namespace {

// Code of Android's runtime, by the mapping of a frame.
enum class Code : uint8_t { Other, Interpreted, Jit, Aot, Runtime, Kernel };

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Code code_of(std::string_view mapping) {
  if (has(mapping, "jit-cache") || has(mapping, "jit-code-cache") || has(mapping, "jit-zygote"))
    return Code::Jit;
  for (const std::string_view end : {".vdex", ".dex", ".apk", ".jar"})
    if (mapping.ends_with(end)) return Code::Interpreted;
  for (const std::string_view end : {".oat", ".odex", ".art"})
    if (mapping.ends_with(end)) return Code::Aot;
  if (mapping.ends_with("/libart.so") || mapping.ends_with("/libartd.so")) return Code::Runtime;
  if (mapping.starts_with("/kernel") || mapping.starts_with("[kernel")) return Code::Kernel;
  return Code::Other;
}

class CallsiteChain final : public ComputedFunctionRows {
 public:
  CallsiteChain(std::shared_ptr<const TableView> table, const Store& store, bool is_annotated)
      : store_(store), table_(std::move(table)), is_annotated_(is_annotated) {}

  Cell cell(size_t row, size_t column) const override {
    if (column < table_->columns.size())
      return tracebraid::cell(table_->columns[column], chain_[row], store_.strings);
    return annotations_[row].empty() ? Cell::null() : Cell::of(annotations_[row]);
  }

 private:
  Result<size_t> compute(std::span<const Cell> arguments) override {
    chain_.clear();
    annotations_.clear();
    const Cell& id = arguments[0];
    if (id.kind == Cell::Kind::Null) return 0;
    if (id.kind != Cell::Kind::Int) return fail(ErrorCode::Sql, "start id should be an integer.");
    const StackCallsiteTable& callsites = store_.stack_callsites;
    if (id.integer < 0 || id.integer >= static_cast<int64_t>(callsites.rows()))
      return fail(ErrorCode::Sql, fmt::format("no row with id {}", id.integer));
    auto row = static_cast<uint32_t>(id.integer);
    if (is_annotated_) chain_.push_back(row);
    // Depth decreases from child to parent, so this ends even if a damaged braid has a cycle.
    for (;;) {
      const uint32_t parent = callsites.parent_id[row].row;
      if (parent >= callsites.rows() || callsites.depth[parent] >= callsites.depth[row]) break;
      chain_.push_back(row = parent);
    }
    if (is_annotated_) annotate();
    std::ranges::reverse(chain_);
    std::ranges::reverse(annotations_);
    return chain_.size();
  }

  // From the innermost frame outwards. Frames of the runtime between managed frames are common.
  void annotate() {
    bool is_managed = false;  // whether a managed frame was seen
    for (const uint32_t row : chain_) {
      const uint32_t frame = store_.stack_callsites.frame_id[row];
      std::string_view mapping;
      if (frame < store_.stack_frames.rows() &&
          store_.stack_frames.mapping[frame] < store_.stack_mappings.rows())
        if (const StringId name = store_.stack_mappings.name[store_.stack_frames.mapping[frame]])
          mapping = store_.strings.get(name);
      const Code code = code_of(mapping);
      switch (code) {
        case Code::Other:
          annotations_.emplace_back();
          break;
        case Code::Runtime:
          annotations_.emplace_back(is_managed ? "common-frame" : "");
          break;
        case Code::Interpreted:
          annotations_.emplace_back("interp");
          break;
        case Code::Jit:
          annotations_.emplace_back("jit");
          break;
        case Code::Aot:
          annotations_.emplace_back("aot");
          break;
        case Code::Kernel:
          annotations_.emplace_back("kernel");
          break;
      }
      is_managed |= code == Code::Interpreted || code == Code::Jit || code == Code::Aot;
    }
  }

  const Store& store_;
  std::shared_ptr<const TableView> table_;
  bool is_annotated_;
  std::vector<uint32_t> chain_;
  std::vector<std::string_view> annotations_;
};

}  // namespace

std::vector<TableFunction> callsite_functions(const Store& store) {
  const auto callsites = std::make_shared<const TableView>(store.stack_callsites.view());
  std::vector<TableFunction::Column> columns;
  for (const ColumnView& column : callsites->columns)
    columns.push_back({column.name, column.sql_type, column.about});
  std::vector<TableFunction::Column> annotated = columns;
  annotated.push_back({"annotation", SqlType::Text,
                       "Kind of the code: jit, interp, aot, common-frame (of Android's runtime), "
                       "kernel; else NULL."});
  const std::vector<TableFunction::Parameter> parameters = {
      {"callsite_id", "LONG", "Row of stack_profile_callsite; NULL gives no rows."}};
  return {{"experimental_ancestor_stack_profile_callsite",
           "The callers of a callsite, outermost first.",
           parameters,
           std::move(columns),
           [=, &store] { return std::make_unique<CallsiteChain>(callsites, store, false); },
           {StackCallsiteTable::kName}},
          {"experimental_annotated_callstack",
           "A callsite and its callers, outermost first, with the kind of their code.",
           parameters,
           std::move(annotated),
           [=, &store] { return std::make_unique<CallsiteChain>(callsites, store, true); },
           {StackCallsiteTable::kName, StackFrameTable::kName, StackMappingTable::kName}}};
}

}  // namespace tracebraid
