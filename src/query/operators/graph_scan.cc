#include "query/operators/graph_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "query/operators/graph_functions.h"
#include "query/operators/operator_function.h"
#include "query/operators/relation_columns.h"
#include "query/operators/result_table.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Replaces $table outside of texts and quoted names.
std::string with_table(std::string_view sql, std::string_view table) {
  constexpr std::string_view kTable = "$table";
  std::string made;
  char quote = 0;
  for (size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (sql.substr(at).starts_with(kTable) &&
               (at + kTable.size() == sql.size() || !is_name_character(sql[at + kTable.size()]))) {
      made += table;
      at += kTable.size();
      continue;
    }
    made += c;
    ++at;
  }
  return made;
}

// The rows of all nodes: the id of the node, and the columns.
class ScanRows {
 public:
  explicit ScanRows(std::vector<std::string> names)
      : table_(std::make_shared<StoredResult>(std::move(names))) {}

  size_t columns() const { return table_->names().size(); }
  const std::vector<std::string>& names() const { return table_->names(); }
  size_t rows() const { return table_->rows(); }
  void add(size_t column, const Cell& cell) { table_->column(column).add(cell); }
  Cell cell(size_t row, size_t column) const { return table_->cell(row, column); }
  std::shared_ptr<StoredResult> table() const { return table_; }

 private:
  std::shared_ptr<StoredResult> table_;
};

// Lists of rows by node, in one array: millions of lists with memory of their own take long to
// free.
class RowLists {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  explicit RowLists(size_t nodes) : first_(nodes, kNone), last_(nodes, kNone) {}

  bool empty(uint32_t node) const { return first_[node] == kNone; }
  void add(uint32_t node, uint32_t row) {
    uint32_t at = free_;
    if (at == kNone) {
      at = static_cast<uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[at].next;
    }
    entries_[at] = {row, kNone};
    (empty(node) ? first_[node] : entries_[last_[node]].next) = at;
    last_[node] = at;
  }
  // Calls body(row), which returns Result<>, for the rows of a node.
  template <class Body>
  Result<> for_each(uint32_t node, Body body) const {
    for (uint32_t at = first_[node]; at != kNone; at = entries_[at].next)
      TB_TRY(body(entries_[at].row));
    return {};
  }
  void clear(uint32_t node) {
    if (empty(node)) return;
    entries_[last_[node]].next = free_;
    free_ = std::exchange(first_[node], kNone);
  }

 private:
  struct Entry {
    uint32_t row, next;
  };
  std::vector<Entry> entries_;
  std::vector<uint32_t> first_, last_;  // by node, in `entries_`
  uint32_t free_ = kNone;               // the first entry without a node
};

class GraphScan {
 public:
  GraphScan(const OperatorContext& context, const Graph& graph, const ResultTable& start)
      : context_(context),
        graph_(graph),
        start_(start),
        result_(start.names()),
        memory_(context.memory),
        stop_(*context.stop),
        rows_of_(graph.nodes()),
        arrived_(graph.nodes()) {}

  Result<std::shared_ptr<StoredResult>> run(std::string_view step) {
    if (start_.names().empty() || !is_same_name(start_.names()[0], "id"))
      return fail(ErrorCode::Sql, "graph scan: the first column of the start must be id");
    TB_TRY(prepare(step));
    TB_TRY(add_start());
    TB_TRY(count_edges());
    std::vector<uint32_t> level;
    for (uint32_t node = 0; node < graph_.nodes(); ++node)
      if (is_reached_[node] && waiting_[node] == 0) level.push_back(node);
    while (!level.empty()) {
      if (context_.stop->stopped()) return tl::unexpected(context_.stop->error());
      TB_TRY_ASSIGN(level, finish_level(level));
    }
    return result_.table();
  }

 private:
  Result<> check(size_t work) {
    if (stop_.stopped(work)) return tl::unexpected(stop_.error());
    return {};
  }

  // The step reads a table of columns c0, c1 ... as the columns of the start.
  Result<> prepare(std::string_view step) {
    constexpr size_t kMostColumns = 32;
    if (result_.columns() > kMostColumns)
      return fail(ErrorCode::Sql, fmt::format("graph scan: more than {} columns", kMostColumns));
    std::string table = "(SELECT ";
    for (size_t i = 0; i < result_.columns(); ++i)
      table += fmt::format("{}c{} AS {}", i == 0 ? "" : ", ", i, quoted(result_.names()[i]));
    table += " FROM __intrinsic_table_columns(?1))";
    const bool is_bracketed = step.find_first_not_of(" \t\r\n") == step.find('(');
    const std::string sql = (is_bracketed ? "SELECT * FROM " : "") + with_table(step, table);
    sqlite3_stmt* compiled = nullptr;
    sqlite3_prepare_v3(context_.db, sql.c_str(), -1, 0, &compiled, nullptr);
    step_.reset(compiled);
    if (compiled == nullptr) return tl::unexpected(sqlite_error(context_.db));
    for (const std::string& name : result_.names()) {
      int at = 0;
      while (at < sqlite3_column_count(compiled) &&
             !is_same_name(sqlite3_column_name(compiled, at), name))
        ++at;
      if (at == sqlite3_column_count(compiled))
        return fail(ErrorCode::Sql, fmt::format("graph scan: the step has no column {}", name));
      step_columns_.push_back(at);
    }
    return {};
  }

  // Adds the row to those of its node, which are handed on.
  Result<> note_row(size_t row) {
    const Cell id = result_.cell(row, 0);
    if (id.kind != Cell::Kind::Int || id.integer < 0 || id.integer >= int64_t{Graph::kNone})
      return fail(ErrorCode::Sql, "graph: node ids must be non-negative 32-bit integers");
    const uint32_t node = graph_.node(static_cast<uint32_t>(id.integer));
    if (node != Graph::kNone) rows_of_.add(node, static_cast<uint32_t>(row));
    return {};
  }

  Result<> add_start() {
    for (size_t row = 0; row < start_.rows(); ++row) {
      TB_TRY(check(result_.columns()));
      for (size_t i = 0; i < result_.columns(); ++i) result_.add(i, start_.cell(row, i));
      TB_TRY(note_row(row));
    }
    return memory_.take(result_.rows() * result_.columns() * sizeof(int64_t));
  }

  // Counts the edges to each node from nodes that rows can reach.
  Result<> count_edges() {
    is_reached_.resize(graph_.nodes());
    waiting_.resize(graph_.nodes());
    std::vector<uint32_t> open;
    for (uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (rows_of_.empty(node)) continue;
      is_reached_[node] = true;
      open.push_back(node);
    }
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      TB_TRY(check(1 + graph_.targets(node).size()));
      for (const uint32_t target : graph_.targets(node)) {
        ++waiting_[target];
        if (is_reached_[target]) continue;
        is_reached_[target] = true;
        open.push_back(target);
      }
    }
    return {};
  }

  // Hands on the rows of the nodes. Returns the nodes that have all their rows then.
  Result<std::vector<uint32_t>> finish_level(const std::vector<uint32_t>& level) {
    std::vector<uint32_t> next;
    for (const uint32_t node : level) {
      for (const uint32_t target : graph_.targets(node)) {
        TB_TRY(check(1));
        TB_TRY(rows_of_.for_each(node, [&](uint32_t row) {
          arrived_.add(target, row);
          return check(1);
        }));
        if (--waiting_[target] == 0) next.push_back(target);
      }
      rows_of_.clear(node);
    }
    auto input = std::make_shared<StoredResult>(result_.names());
    for (const uint32_t target : next) {
      TB_TRY(arrived_.for_each(target, [&](uint32_t row) {
        input->column(0).add_integer(graph_.id(target));
        for (size_t i = 1; i < result_.columns(); ++i) input->column(i).add(result_.cell(row, i));
        return check(result_.columns());
      }));
      arrived_.clear(target);
    }
    if (input->rows() != 0) TB_TRY(run_step(std::move(input)));
    return next;
  }

  Result<> run_step(std::shared_ptr<const ResultTable> input) {
    using Shared = std::shared_ptr<const ResultTable>;
    sqlite3_bind_pointer(step_.get(), 1, new Shared(std::move(input)), ResultTable::kPointerName,
                         [](void* owned) { delete static_cast<Shared*>(owned); });
    int rc = SQLITE_ROW;
    const size_t first = result_.rows();
    while ((rc = sqlite3_step(step_.get())) == SQLITE_ROW) {
      const size_t row = result_.rows();
      for (size_t i = 0; i < result_.columns(); ++i)
        result_.add(i, cell_of(sqlite3_column_value(step_.get(), step_columns_[i])));
      TB_TRY(note_row(row));
    }
    if (rc != SQLITE_DONE) {
      if (context_.stop->stopped()) return tl::unexpected(context_.stop->error());
      return tl::unexpected(sqlite_error(context_.db));
    }
    sqlite3_reset(step_.get());
    return memory_.take((result_.rows() - first) * result_.columns() * sizeof(int64_t));
  }

  const OperatorContext& context_;
  const Graph& graph_;
  const ResultTable& start_;
  ScanRows result_;
  OperatorMemory memory_;
  PacedStopCheck stop_;
  Statement step_;
  std::vector<int> step_columns_;
  RowLists rows_of_, arrived_;  // rows of the result: of each node, and for it along its edges
  std::vector<bool> is_reached_;
  std::vector<uint32_t> waiting_;  // edges whose rows have not arrived
};

// (graph, start rows, 'step', '(columns)'). The names of the columns are those of the start rows.
// A node is handled once, when the rows of all edges to it have arrived.
Result<> graph_scan(sqlite3_context* context, OperatorContext& operators, Arguments arguments) {
  const auto graph = pointer_of<GraphValue>(arguments[0]);
  const auto start = pointer_of<ResultTable>(arguments[1]);
  const Cell step = cell_of(arguments[2]);
  if (step.kind != Cell::Kind::Text) return fail(ErrorCode::Sql, "graph scan: the step is no text");
  if (start == nullptr) {
    set_pointer<ResultTable>(context,
                             std::make_shared<StoredResult>(std::vector<std::string>{"id"}));
    return {};
  }
  Graph empty;
  if (!empty.finish(*operators.stop)) return tl::unexpected(operators.stop->error());
  GraphScan scan(operators, graph == nullptr ? empty : graph->graph, *start);
  TB_TRY_ASSIGN(std::shared_ptr<StoredResult> table, scan.run(step.text));
  set_pointer<ResultTable>(context, std::move(table));
  return {};
}

}  // namespace

Result<> add_graph_scans(OperatorContext& context) {
  TB_TRY(add_operator_function<graph_scan>(context, "__intrinsic_graph_scan", 4));
  return add_operator_function<graph_scan>(context, "__intrinsic_graph_aggregating_scan", 4);
}

}  // namespace tracebraid
