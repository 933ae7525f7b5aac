#include "query/operators/row_tables.h"

#include <fmt/core.h>

#include "query/operators/operator_function.h"
#include "query/operators/result_table.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kRowsPerCheck = 4096;

// __intrinsic_array_agg(value)
class ArrayAggregate {
 public:
  explicit ArrayAggregate(const OperatorContext& context)
      : array_(std::make_shared<ValueArray>(context.memory)) {}
  Result<> add(Arguments arguments) {
    if (array_->values.size() % kRowsPerCheck == 0)
      TB_TRY(array_->memory.take(kRowsPerCheck * 2 * sizeof(int64_t)));
    array_->values.add(cell_of(arguments[0]));
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    set_pointer<ValueArray>(context, std::move(array_));
    return {};
  }

 private:
  std::shared_ptr<ValueArray> array_;
};

// A table of rows, as SQL gave them.
class RowTable final : public ResultTable {
 public:
  RowTable(std::vector<std::string> names, QueryMemory* memory)
      : ResultTable(std::move(names)), columns_(this->names().size()), memory_(memory) {}
  size_t rows() const override { return rows_; }
  Cell cell(size_t row, size_t column) const override { return columns_[column].cell(row); }

  // `arguments`: names and values in turn.
  Result<> add(Arguments arguments) {
    if (rows_ % kRowsPerCheck == 0)
      TB_TRY(memory_.take(kRowsPerCheck * 2 * sizeof(int64_t) * columns_.size()));
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i].add(cell_of(arguments[2 * i + 1]));
    ++rows_;
    return {};
  }

 private:
  std::vector<ValueColumn> columns_;
  size_t rows_ = 0;
  OperatorMemory memory_;
};

// A tree as a table with the columns id and parent_id.
struct Tree {
  static constexpr const char* kPointerName = "TREE";
  std::shared_ptr<const ResultTable> table;
};

Result<std::vector<std::string>> names_of(Arguments arguments, std::string_view function) {
  if (arguments.empty() || arguments.size() % 2 != 0)
    return fail(ErrorCode::Sql, fmt::format("{}: arguments are names and values", function));
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    const Cell name = cell_of(arguments[i]);
    if (name.kind != Cell::Kind::Text)
      return fail(ErrorCode::Sql, fmt::format("{}: argument {} must be a name", function, i));
    names.emplace_back(name.text);
  }
  return names;
}

// __intrinsic_row_dataframe_agg('name', value, ...) and __intrinsic_tree_from_table(...)
template <bool kIsTree>
class TableAggregate {
 public:
  explicit TableAggregate(const OperatorContext& context) : context_(context) {}
  Result<> add(Arguments arguments) {
    if (table_ == nullptr) {
      TB_TRY_ASSIGN(std::vector<std::string> names,
                    names_of(arguments, kIsTree ? "__intrinsic_tree_from_table"
                                                : "__intrinsic_row_dataframe_agg"));
      table_ = std::make_shared<RowTable>(std::move(names), context_.memory);
    }
    return table_->add(arguments);
  }
  Result<> finish(sqlite3_context* context) {
    if (table_ == nullptr) return {};
    if constexpr (kIsTree)
      set_pointer<Tree>(context, std::make_shared<const Tree>(Tree{std::move(table_)}));
    else
      set_pointer<ResultTable>(context, std::move(table_));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::shared_ptr<RowTable> table_;
};

// __intrinsic_struct('name', value, ...)
Result<> make_struct(sqlite3_context* context, OperatorContext& operators, Arguments arguments) {
  constexpr size_t kMostFields = 8;
  if (arguments.size() / 2 > kMostFields)
    return fail(ErrorCode::Sql,
                fmt::format("STRUCT: only at most {} fields are supported", kMostFields));
  TB_TRY_ASSIGN(std::vector<std::string> names, names_of(arguments, "STRUCT"));
  auto table = std::make_shared<RowTable>(std::move(names), operators.memory);
  TB_TRY(table->add(arguments));
  set_pointer<ResultTable>(context, std::move(table));
  return {};
}

// NULL is the tree of a table without rows.
Result<> tree_to_table(sqlite3_context* context, OperatorContext&, Arguments arguments) {
  if (const auto tree = pointer_of<Tree>(arguments[0]))
    set_pointer<ResultTable>(context, tree->table);
  else if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
    set_pointer<ResultTable>(
        context, std::make_shared<const StoredResult>(std::vector<std::string>{"id", "parent_id"}));
  return {};
}

}  // namespace

Result<> add_row_tables(OperatorContext& context) {
  for (const char* const name : {"__intrinsic_array_agg", "repeatedfield"})
    TB_TRY(add_operator_aggregate<ArrayAggregate>(context, name, 1));
  TB_TRY(
      add_operator_aggregate<TableAggregate<false>>(context, "__intrinsic_row_dataframe_agg", -1));
  TB_TRY(add_operator_aggregate<TableAggregate<true>>(context, "__intrinsic_tree_from_table", -1));
  TB_TRY(add_operator_function<tree_to_table>(context, "__intrinsic_tree_to_table", 1));
  return add_operator_function<make_struct>(context, "__intrinsic_struct", -1);
}

}  // namespace tracebraid
