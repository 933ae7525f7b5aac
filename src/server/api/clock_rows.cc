// The clock graph of a trace as tables: GET /traces/{t}/clocks, /traces/{t}/clocks/edges and
// /traces/{t}/clocks/contradictions.
#include <fmt/format.h>

#include <array>
#include <span>

#include "engine/rows.h"
#include "server/api/parameters.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostClockRows = 20'000, kUsualClockRows = 1000;

enum class MemberKind : uint8_t {
  Number,  // rows of tables and counts
  Text,
  Time,  // ns or bytes, as a decimal text
  Flag,
};
struct RowMember {
  std::string_view name;
  MemberKind kind;
};

// One list of rows: its name in the document, and its members in the order of the columns.
struct ClockRows {
  std::string_view name, table, select, order;
  std::span<const RowMember> members;
};

using enum MemberKind;

constexpr std::array kClockMembers = {
    RowMember{"id", Number},       RowMember{"name", Text},         RowMember{"label", Text},
    RowMember{"machine", Number},  RowMember{"file", Number},       RowMember{"sequence", Time},
    RowMember{"readings", Number}, RowMember{"segments", Number},   RowMember{"next", Number},
    RowMember{"next_kind", Text},  RowMember{"machine_name", Text}, RowMember{"file_name", Text}};
constexpr ClockRows kClocks = {
    .name = "clocks",
    .table = "clock",
    .select =
        "c.id, c.name, c.label, c.machine_id, c.trace_id, c.sequence, c.readings, c.segments,"
        " c.next_clock, c.next_kind, m.name, f.name FROM clock c"
        " LEFT JOIN machine m ON m.id = c.machine_id"
        " LEFT JOIN trace_file f ON f.id = c.trace_id",
    .order = "c.id",
    .members = kClockMembers};

constexpr std::array kEdgeMembers = {
    RowMember{"id", Number},     RowMember{"from", Number},   RowMember{"to", Number},
    RowMember{"kind", Text},     RowMember{"source", Text},   RowMember{"observations", Number},
    RowMember{"bound_ns", Time}, RowMember{"file", Number},   RowMember{"byte_offset", Time},
    RowMember{"is_used", Flag},  RowMember{"file_name", Text}};
constexpr ClockRows kEdges = {
    .name = "edges",
    .table = "clock_edge",
    .select =
        "e.id, e.from_clock, e.to_clock, e.kind, e.source, e.observations, e.uncertainty_ns,"
        " e.trace_id, e.byte_offset, e.is_used, f.name FROM clock_edge e"
        " LEFT JOIN trace_file f ON f.id = e.trace_id",
    .order = "e.is_used DESC, e.id",
    .members = kEdgeMembers};

constexpr std::array kContradictionMembers = {RowMember{"id", Number},
                                              RowMember{"a", Number},
                                              RowMember{"b", Number},
                                              RowMember{"kind", Text},
                                              RowMember{"observations", Number},
                                              RowMember{"apart_ns", Time},
                                              RowMember{"bound_ns", Time},
                                              RowMember{"reading_a", Time},
                                              RowMember{"reading_b", Time},
                                              RowMember{"path_a", Text},
                                              RowMember{"path_b", Text},
                                              RowMember{"file", Number},
                                              RowMember{"byte_offset", Time},
                                              RowMember{"file_name", Text}};
constexpr ClockRows kContradictions = {
    .name = "contradictions",
    .table = "clock_contradiction",
    .select =
        "c.id, c.clock_a, c.clock_b, c.kind, c.observations, c.apart_ns, c.bound_ns,"
        " c.reading_a, c.reading_b, c.path_a, c.path_b, c.trace_id, c.byte_offset, f.name"
        " FROM clock_contradiction c LEFT JOIN trace_file f ON f.id = c.trace_id",
    .order = "c.apart_ns - c.bound_ns DESC, c.id",
    .members = kContradictionMembers};

constexpr std::string_view kClocksSchema =
    R"({"type":"object","required":["total","clocks"],"properties":{"total":{"type":"integer"},"clocks":{"type":"array","items":{"type":"object","required":["id","name","label","machine","file","sequence","readings","segments","next","next_kind","machine_name","file_name"],"properties":{"id":{"type":"integer"},"name":{"type":"string"},"label":{"type":"string"},"machine":{"type":["integer","null"]},"file":{"type":["integer","null"]},"sequence":{"type":["string","null"]},"readings":{"type":"integer"},"segments":{"type":"integer"},"next":{"type":["integer","null"]},"next_kind":{"type":["string","null"]},"machine_name":{"type":["string","null"]},"file_name":{"type":["string","null"]}}}}}})";
constexpr std::string_view kEdgesSchema =
    R"({"type":"object","required":["total","used","edges"],"properties":{"total":{"type":"integer"},"used":{"type":"integer"},"edges":{"type":"array","items":{"type":"object","required":["id","from","to","kind","source","observations","bound_ns","file","byte_offset","is_used","file_name"],"properties":{"id":{"type":"integer"},"from":{"type":"integer"},"to":{"type":"integer"},"kind":{"type":"string"},"source":{"type":"string"},"observations":{"type":"integer"},"bound_ns":{"type":["string","null"]},"file":{"type":["integer","null"]},"byte_offset":{"type":["string","null"]},"is_used":{"type":"boolean"},"file_name":{"type":["string","null"]}}}}}})";
constexpr std::string_view kContradictionsSchema =
    R"({"type":"object","required":["total","contradictions"],"properties":{"total":{"type":"integer"},"contradictions":{"type":"array","items":{"type":"object","required":["id","a","b","kind","observations","apart_ns","bound_ns","reading_a","reading_b","path_a","path_b","file","byte_offset","file_name"],"properties":{"id":{"type":"integer"},"a":{"type":"integer"},"b":{"type":"integer"},"kind":{"type":"string"},"observations":{"type":"integer"},"apart_ns":{"type":"string"},"bound_ns":{"type":"string"},"reading_a":{"type":"string"},"reading_b":{"type":"string"},"path_a":{"type":["string","null"]},"path_b":{"type":["string","null"]},"file":{"type":["integer","null"]},"byte_offset":{"type":["string","null"]},"file_name":{"type":["string","null"]}}}}}})";

void add_member(JsonText& json, const RowMember& member, const Cell& cell) {
  if (cell.kind == Cell::Kind::Null)
    json.add_raw(member.name, "null");
  else if (member.kind == Text)
    json.add(member.name, cell.text);
  else if (member.kind == Time)
    json.add(member.name, std::to_string(cell.integer));
  else if (member.kind == Flag)
    json.add(member.name, cell.integer != 0);
  else
    json.add(member.name, cell.integer);
}

// Runs a statement and passes each row to `take`, as a function that returns the cell of a column.
template <class Take>
Result<> each_row(TraceConnection& connection, const std::string& sql, Take take) {
  TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query, connection.query(sql));
  while (true) {
    TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, query->next());
    if (!batch) return {};
    for (size_t row = 0; row < batch->rows; ++row)
      take([&](size_t column) { return cell_at(batch->columns[column], row); });
  }
}

Result<std::string> rows_json(TraceConnection& connection, const ClockRows& rows, int64_t offset,
                              int64_t limit) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  const bool has_used = rows.table == "clock_edge";
  TB_TRY(each_row(connection,
                  fmt::format("SELECT count(*){} FROM {}",
                              has_used ? ", coalesce(sum(is_used), 0)" : "", rows.table),
                  [&](const auto& cell) {
                    json.add("total", cell(0).integer);
                    if (has_used) json.add("used", cell(1).integer);
                  }));
  json.open_array(rows.name);
  TB_TRY(each_row(connection,
                  fmt::format("SELECT {} ORDER BY {} LIMIT {} OFFSET {}", rows.select, rows.order,
                              limit, offset),
                  [&](const auto& cell) {
                    json.open_object();
                    for (size_t i = 0; i < rows.members.size(); ++i)
                      add_member(json, rows.members[i], cell(i));
                    json.close_object();
                  }));
  json.close_array().close_object();
  return std::move(json).finish();
}

template <const ClockRows& kRows>
http::Response get_rows(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const auto answer = [&]() -> Result<std::string> {
    TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, 0, INT64_MAX));
    TB_TRY_ASSIGN(const int64_t limit,
                  number_parameter(call, "limit", kUsualClockRows, 0, kMostClockRows));
    TB_TRY_ASSIGN(std::unique_ptr<TraceConnection> connection, found->open->take_connection());
    TB_TRY_ASSIGN(std::string document, rows_json(*connection, kRows, offset, limit));
    found->open->give_back(std::move(connection));
    return document;
  };
  Result<std::string> document = answer();
  return document ? json_response(*std::move(document)) : problem(document.error());
}

template <const ClockRows& kRows>
Route route_of(std::string_view path, std::string_view about, std::string_view schema) {
  return {.method = "GET",
          .path = path,
          .about = about,
          .answer = get_rows<kRows>,
          .on = TaskClass::Answers,
          .parameters = {{"offset", "rows to skip"},
                         {"limit", "how many rows, from 0 to 20000; usually 1000"}},
          .schema = schema};
}

}  // namespace

std::vector<Route> clock_row_routes() {
  return {
      route_of<kClocks>("/traces/{t}/clocks",
                        "clocks of a trace, rows of clock: `machine` and `file` are rows of "
                        "machine and trace_file, and `next` is the next clock on the way to the "
                        "timeline",
                        kClocksSchema),
      route_of<kEdges>("/traces/{t}/clocks/edges",
                       "evidence that relates two clocks, rows of clock_edge, those of paths "
                       "first; `bound_ns` is that of one observation, null if there is none",
                       kEdgesSchema),
      route_of<kContradictions>("/traces/{t}/clocks/contradictions",
                                "evidence that contradicts the paths by more than their bounds, "
                                "rows of clock_contradiction, the furthest first; all in ns",
                                kContradictionsSchema)};
}

}  // namespace tracebraid::api
