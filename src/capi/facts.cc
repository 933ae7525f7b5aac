// Facts of a trace as Arrow streams: reports of the engine, and statements over its tables.
#include <fmt/format.h>

#include <concepts>
#include <optional>

#include "capi/handles.h"
#include "capi/stream.h"
#include "engine/arrow.h"
#include "engine/report.h"
#include "engine/schema.h"

namespace tracebraid::capi {
namespace {

// Builds one batch, row by row, in the order of the columns.
class RowBuilder {
 public:
  explicit RowBuilder(std::vector<Field> fields) : schema_({std::move(fields)}) {
    for (const Field& field : schema_.fields) builders_.emplace_back(field.type);
  }

  // Requires: a value for each column, of its type.
  template <class... Values>
  void add(const Values&... values) {
    size_t column = 0;
    (builders_.at(column++).add(cell_of(values)), ...);
    ++rows_;
  }

  void export_to(const std::shared_ptr<OpenTrace>& open, ArrowArrayStream* out) {
    auto schema = std::make_shared<const Schema>(schema_);
    RecordBatch batch{schema, rows_, {}};
    for (ColumnBuilder& builder : builders_) batch.columns.push_back(builder.finish());
    std::vector<RecordBatch> batches;
    if (rows_ != 0) batches.push_back(std::move(batch));
    export_stream(open, std::move(schema), std::move(batches), out);
  }

 private:
  static Cell cell_of(std::integral auto value) { return Cell::of(static_cast<int64_t>(value)); }
  static Cell cell_of(std::string_view text) { return Cell::of(text); }
  static Cell cell_of(const std::string& text) { return Cell::of(std::string_view(text)); }
  static Cell cell_of(const std::optional<int64_t>& value) {
    return value ? Cell::of(*value) : Cell::null();
  }

  Schema schema_;
  std::vector<ColumnBuilder> builders_;
  size_t rows_ = 0;
};

Field text(std::string name) { return {.name = std::move(name), .type = DataType::Dictionary}; }
Field number(std::string name, std::string meaning = {}) {
  return {.name = std::move(name), .type = DataType::Int64, .meaning = std::move(meaning)};
}

template <class Fields, class Fill>
int give_rows(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err, Fields fields,
              Fill fill) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    RowBuilder rows(fields());
    TB_TRY_ASSIGN(const CheckReport report, check_report(*trace->open->trace()));
    fill(rows, report);
    rows.export_to(trace->open, out);
    return {};
  });
}

int give_query(tracebraid_trace* trace, std::string_view sql, ArrowArrayStream* out,
               tracebraid_error** err) {
  return tracebraid_query(trace, sql.data(), sql.size(), nullptr, nullptr, nullptr, nullptr, out,
                          err);
}

std::string_view kind_of(const RelationDeclaration& relation) {
  return relation.kind == RelationKind::View ? "view" : "table";
}

void add_relations(RowBuilder& rows) {
  for (const RelationDeclaration& relation : all_relations()) {
    if (relation.kind == RelationKind::Raw) continue;
    for (const ColumnDeclaration& column : relation.columns)
      rows.add(relation.name, kind_of(relation), column.name, column.type, column.is_sorted,
               column.is_hidden, column.about);
  }
}

void add_placements(RowBuilder& rows, const CheckReport& report) {
  for (const PlacedClock& clock : report.clocks)
    rows.add(clock.file, clock.machine, clock.clock, clock.sequence, clock.rule, clock.source,
             clock.path, clock.observations, clock.offset_start_ns, clock.offset_end_ns,
             clock.uncertainty_ns, is_stated(clock), clock.first_ts, clock.last_ts, clock.placed,
             lost(report, clock), clock.no_path, clock.ambiguous, clock.out_of_range,
             clock.negative, clock.matched, clock.assumes, clock.by_order);
}

std::vector<Field> placement_fields() {
  return {text("file"),
          text("machine"),
          text("clock"),
          number("sequence"),
          text("rule"),
          text("source"),
          text("path"),
          number("observations"),
          number("offset_start_ns", "duration_ns"),
          number("offset_end_ns", "duration_ns"),
          number("uncertainty_ns", "duration_ns"),
          number("stated"),
          number("first_ts", "time_ns"),
          number("last_ts", "time_ns"),
          number("placed"),
          number("lost"),
          number("lost_no_path"),
          number("lost_ambiguous"),
          number("lost_out_of_range"),
          number("before_start"),
          number("matched"),
          text("assumes"),
          number("by_order")};
}

// Returns a text of the trace, which `make` computes.
template <class Make>
int give_report(tracebraid_trace* trace, const char* choice, std::string_view name, char** out,
                tracebraid_error** err, Make make) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (choice == nullptr) return tl::unexpected(missing(name));
    if (out == nullptr) return tl::unexpected(missing("out"));
    TB_TRY_ASSIGN(const std::string made, make(*trace->open->trace(), std::string_view(choice)));
    return give_text(made, out);
  });
}

Error no_report(std::string_view which) {
  return {ErrorCode::Usage, fmt::format("there is no report '{}', only check and info", which)};
}

}  // namespace
}  // namespace tracebraid::capi

using namespace tracebraid;
using namespace tracebraid::capi;

extern "C" {

int tracebraid_schema(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  const auto fields = [] {
    return std::vector{text("table"),       text("kind"),        text("column"), text("type"),
                       number("is_sorted"), number("is_hidden"), text("text")};
  };
  return give_rows(trace, out, err, fields,
                   [](RowBuilder& rows, const CheckReport&) { add_relations(rows); });
}

int tracebraid_files(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  return give_query(trace,
                    "SELECT id, parent_id, name, size, trace_type, processing_order, is_container "
                    "FROM trace_file ORDER BY id",
                    out, err);
}

int tracebraid_machines(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  return give_query(trace, "SELECT * FROM machine ORDER BY id", out, err);
}

int tracebraid_problems(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  const auto fields = [] { return std::vector{text("file"), text("level"), text("message")}; };
  return give_rows(trace, out, err, fields, [](RowBuilder& rows, const CheckReport& report) {
    for (const Problem& problem : report.problems)
      rows.add(problem.path, name_of(problem.level), problem.error.message);
  });
}

int tracebraid_not_imported(tracebraid_trace* trace, ArrowArrayStream* out,
                            tracebraid_error** err) {
  const auto fields = [] {
    return std::vector{text("file"), text("what"), number("count"), number("bytes")};
  };
  return give_rows(trace, out, err, fields, [](RowBuilder& rows, const CheckReport& report) {
    for (const NotImportedOfFile& row : report.not_imported)
      rows.add(report.file_names.at(row.file), row.what, row.count, row.bytes);
  });
}

int tracebraid_stats(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  const auto fields = [] {
    return std::vector{text("stat"),    text("severity"), text("level"),       text("file"),
                       text("machine"), number("count"),  text("description"), text("example")};
  };
  return give_rows(trace, out, err, fields, [](RowBuilder& rows, const CheckReport& report) {
    for (const Loss& loss : report.losses)
      rows.add(loss.stat, loss.severity, name_of(loss.level), loss.file, loss.machine, loss.count,
               loss.description, loss.example);
  });
}

int tracebraid_placement(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  return give_rows(trace, out, err, placement_fields, add_placements);
}

int tracebraid_clocks(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  return give_query(trace,
                    "SELECT c.*, m.name AS machine, f.name AS file FROM clock c "
                    "LEFT JOIN machine m ON m.id = c.machine_id "
                    "LEFT JOIN trace_file f ON f.id = c.trace_id ORDER BY c.id",
                    out, err);
}

int tracebraid_relations(tracebraid_trace* trace, ArrowArrayStream* out, tracebraid_error** err) {
  return give_query(trace,
                    "SELECT e.*, a.label AS from_label, b.label AS to_label FROM clock_edge e "
                    "LEFT JOIN clock a ON a.id = e.from_clock "
                    "LEFT JOIN clock b ON b.id = e.to_clock ORDER BY e.id",
                    out, err);
}

int tracebraid_report_json(tracebraid_trace* trace, const char* which, char** out,
                           tracebraid_error** err) {
  return give_report(trace, which, "which", out, err,
                     [](const Trace& of, std::string_view report) -> Result<std::string> {
                       if (report == "info") return info_json(of);
                       if (report != "check") return tl::unexpected(no_report(report));
                       TB_TRY_ASSIGN(const CheckReport checked, check_report(of));
                       return report_json(checked);
                     });
}

int tracebraid_report_text(tracebraid_trace* trace, const char* which, unsigned width, char** out,
                           tracebraid_error** err) {
  return give_report(trace, which, "which", out, err,
                     [width](const Trace& of, std::string_view report) -> Result<std::string> {
                       if (report == "info") return info_text(of, width);
                       if (report != "check") return tl::unexpected(no_report(report));
                       TB_TRY_ASSIGN(const CheckReport checked, check_report(of));
                       return report_text(checked, width);
                     });
}

int tracebraid_explain(tracebraid_trace* trace, const char* file, char** out,
                       tracebraid_error** err) {
  return give_report(trace, file, "file", out, err,
                     [](const Trace& of, std::string_view name) -> Result<std::string> {
                       TB_TRY_ASSIGN(std::optional<std::string> explained, explain_file(of, name));
                       if (!explained)
                         return fail(ErrorCode::NotFound,
                                     fmt::format("no input is named '{}'", name));
                       return *std::move(explained);
                     });
}

int tracebraid_clock_graph(tracebraid_trace* trace, const char* format, char** out,
                           tracebraid_error** err) {
  return give_report(trace, format, "format", out, err,
                     [](const Trace& of, std::string_view kind) -> Result<std::string> {
                       if (kind == "svg") return clock_graph_svg(of);
                       if (kind == "dot") return clock_graph_dot(of);
                       return fail(ErrorCode::Usage,
                                   fmt::format("format: '{}' is neither svg nor dot", kind));
                     });
}

}  // extern "C"
