#include "engine/functions/sql_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "engine/functions/arg_functions.h"
#include "engine/functions/clock_functions.h"
#include "query/compile/rows_test.h"
#include "query/functions/arg_json.h"
#include "tables/dialect_views.h"
#include "tables/registry.h"

namespace tracebraid {
namespace {

// A store with a few rows, and SQL over it.
class SqlFunctions : public testing::Test {
 protected:
  StringId name(std::string_view text) { return store.strings.intern(text); }

  void add_set(std::vector<std::tuple<std::string, ArgType, int64_t>> args) {
    std::vector<ArgRow> rows;
    for (size_t i = 0; i < args.size(); ++i) {
      const auto& [key, type, value] = args[i];
      const auto index = static_cast<uint32_t>(store.args.keys.size());
      store.args.keys.push_back({name(key.substr(0, key.find('['))), name(key)});
      rows.push_back({value, index, type, i + 1 == args.size()});
    }
    store.args.add(rows);
  }

  void add_metadata(std::string_view key, int64_t number, std::string_view text, uint32_t machine,
                    uint32_t trace) {
    store.metadata.name.append(name(key));
    store.metadata.key_type.append(name("single"));
    store.metadata.int_value.append({number});
    store.metadata.str_value.append(text.empty() ? StringId{} : name(text));
    store.metadata.machine_id.append({machine});
    store.metadata.trace_id.append({trace});
  }

  void add_reading(int64_t ts, int64_t clock, int64_t value, uint32_t machine = 0) {
    store.clock_snapshots.ts.append(ts);
    store.clock_snapshots.clock_id.append(clock);
    store.clock_snapshots.clock_name.append({});
    store.clock_snapshots.clock_value.append(value);
    store.clock_snapshots.snapshot_id.append(0);
    store.clock_snapshots.machine_id.append({machine});
  }

  void add_slice(int64_t ts, int64_t dur, uint32_t track, uint32_t depth) {
    store.slices.ts.append(ts);
    store.slices.dur.append(dur);
    store.slices.track_id.append(track);
    store.slices.category.append({});
    store.slices.name.append({});
    store.slices.depth.append(depth);
    store.slices.parent_id.append({});
    store.slices.arg_set_id.append({});
  }

  // A track of slices on each of some threads.
  void add_threads(uint32_t count) {
    for (uint32_t utid = 0; utid < count; ++utid) {
      store.threads.tid.append(utid);
      store.threads.name.append({});
      store.threads.upid.append({});
      store.tracks.utid.append({utid});
      store.tracks.event_type.append(name("slice"));
    }
    fill(store.threads.rows(), store.threads.start_ts, store.threads.end_ts,
         store.threads.is_main_thread, store.threads.is_idle, store.threads.machine_id,
         store.threads.arg_set_id);
    fill(store.tracks.rows(), store.tracks.name, store.tracks.parent_id,
         store.tracks.source_arg_set_id, store.tracks.machine_id, store.tracks.type,
         store.tracks.dimension_arg_set_id, store.tracks.track_group_id, store.tracks.counter_unit,
         store.tracks.upid, store.tracks.trace_id, store.tracks.clock_id);
  }
  // Fills all columns to the length of the table.
  template <class... Columns>
  static void fill(size_t rows, Columns&... columns) {
    const auto pad = [rows](auto& column) {
      while (column.size() < rows) column.append({});
    };
    (pad(columns), ...);
  }

  Result<Connection> connect() const {
    return connect_to(store.views(), store.strings, session_functions(store, never_stops),
                      public_schema_sql());
  }
  std::string run(const std::string& sql) {
    Result<Connection> connection = connect();
    if (!connection) return connection.error().message;
    const std::string text = rows_of(*connection, sql);
    if (text.starts_with("error: ")) return text.substr(text.rfind('\n') + 1);
    return text;
  }
  // Returns the rows without the column names.
  std::string rows(const std::string& sql) {
    const std::string text = run(sql);
    if (!text.ends_with("--\n")) return text;
    const size_t begin = text.find('\n') + 1;
    return text.substr(begin, text.size() - begin - 4);
  }

  constexpr static uint32_t kNone = OptRow::kNull;
  Store store;
  StopCheck never_stops;
};

TEST_F(SqlFunctions, PreludeFitsTheTables) {
  const Result<Connection> connection = connect();
  ASSERT_TRUE(connection) << connection.error().message;
  Result<Connection> opened = connect();
  for (const RelationInfo& relation : opened->relations()) {
    TextRows sink;
    const Result<> ran = tracebraid::run(*opened, "SELECT * FROM \"" + relation.name + "\"", sink);
    EXPECT_TRUE(ran) << relation.name << ": " << (ran ? "" : ran.error().message);
  }
}

TEST_F(SqlFunctions, SchemaIsThatOfTheRegistry) {
  Result<Connection> opened = connect();
  ASSERT_TRUE(opened) << opened.error().message;
  std::set<std::string> names;
  for (const auto& relation : opened->relations()) {
    const RelationDeclaration* declared = find_relation(relation.name);
    if (is_dialect_view(relation.name)) {
      EXPECT_EQ(declared, nullptr) << relation.name;
      continue;
    }
    ASSERT_NE(declared, nullptr) << relation.name << " is not declared";
    names.insert(relation.name);
    std::vector<std::string> columns;
    EXPECT_FALSE(declared->about.empty()) << relation.name;
    for (const ColumnDeclaration& column : declared->columns) {
      columns.push_back(column.name);
      EXPECT_FALSE(column.about.empty()) << relation.name << '.' << column.name;
      EXPECT_FALSE(column.type.empty()) << relation.name << '.' << column.name;
    }
    EXPECT_EQ(columns, relation.columns) << relation.name;
  }
  for (const RelationDeclaration& declared : all_relations())
    EXPECT_TRUE(names.contains(declared.name)) << declared.name << " is not in the schema";
}

TEST_F(SqlFunctions, ExtractArg) {
  add_set({{"a", ArgType::Int, 7}, {"b[0]", ArgType::Bool, 1}, {"b[1]", ArgType::Uint, -1}});
  add_set({{"a", ArgType::String, name("x").row},
           {"a", ArgType::Int, 2},
           {"r", ArgType::Real, std::bit_cast<int64_t>(1.5)},
           {"n", ArgType::Null, 0},
           {"p", ArgType::Pointer, 255}});
  EXPECT_EQ(rows("SELECT extract_arg(0, 'a'), extract_arg(0, 'b[0]'), extract_arg(0, 'b'), "
                 "extract_arg(3, 'a'), extract_arg(3, 'r'), extract_arg(3, 'n')"),
            "7, 1, NULL, 'x', 1.5r, NULL");
  EXPECT_EQ(rows("SELECT extract_arg(NULL, 'a'), extract_arg(9, 'a'), extract_arg(-1, 'a'), "
                 "extract_arg(4294967296, 'a'), extract_arg(0, 'zz'), extract_arg(1, 'a')"),
            "NULL, NULL, NULL, NULL, NULL, NULL");
  EXPECT_EQ(run("SELECT extract_arg('0', 'a')"), "EXTRACT_ARG: 1st argument should be arg set id");
  EXPECT_EQ(run("SELECT extract_arg(0, 1)"), "EXTRACT_ARG: 2nd argument should be key");
  EXPECT_EQ(rows("SELECT arg_set_id, key, display_value FROM args WHERE arg_set_id >= 0"),
            "0, 'a', '7'\n0, 'b[0]', 'true'\n0, 'b[1]', '18446744073709551615'\n3, 'a', 'x'\n"
            "3, 'a', '2'\n3, 'r', '1.5'\n3, 'n', NULL\n3, 'p', '0xff'");
}

TEST_F(SqlFunctions, ArgsAreFoundBySet) {
  add_set({{"a", ArgType::Int, 1}});
  add_set({});
  add_set({{"a", ArgType::Int, 2}, {"b", ArgType::Int, 3}});
  EXPECT_EQ(rows("SELECT count(*) FROM args WHERE arg_set_id = 2"), "0");
  EXPECT_EQ(rows("SELECT id, int_value FROM args WHERE arg_set_id = 1 AND key = 'b'"), "2, 3");
  EXPECT_EQ(rows("SELECT id FROM args WHERE arg_set_id > 0 ORDER BY arg_set_id DESC"), "1\n2");
  EXPECT_EQ(rows("SELECT id FROM args WHERE arg_set_id IN (0, 1, 7)"), "0\n1\n2");
}

TEST_F(SqlFunctions, ArgSetToJson) {
  add_set({{"o.k[0]", ArgType::Int, 1},
           {"o.k[1].x", ArgType::String, name("say \"hi\"\n").row},
           {"o.z", ArgType::Bool, 0},
           {"u", ArgType::Uint, -1},
           {"p", ArgType::Pointer, 16},
           {"r", ArgType::Real, std::bit_cast<int64_t>(2.0)},
           {"j", ArgType::Json, name("[1,{}]").row},
           {"u.below", ArgType::Int, 1}});
  add_set({});
  EXPECT_EQ(arg_set_json(store.args, 0, store.strings),
            "{\"o\":{\"k\":[1,{\"x\":\"say \\\"hi\\\"\\u000a\"}],\"z\":false},"
            "\"u\":18446744073709551615,\"p\":\"0x10\",\"r\":2.0,\"j\":[1,{}]}");
  EXPECT_EQ(rows("SELECT __intrinsic_arg_set_to_json(1), __intrinsic_arg_set_to_json(NULL), "
                 "__intrinsic_arg_set_to_json(55)"),
            "'{}', NULL, '{}'");
}

TEST_F(SqlFunctions, ArgSetToJsonBoundsBrokenKeys) {
  std::string deep = "a";
  for (int i = 0; i < 5000; ++i) deep += ".a";
  add_set({{"x[4000000000]", ArgType::Int, 1},
           {"x[99999999999999999999999]", ArgType::Int, 1},
           {"x[", ArgType::Int, 1},
           {deep, ArgType::Int, 1},
           {"", ArgType::Int, 1},
           {"ok", ArgType::Int, 1}});
  EXPECT_EQ(arg_set_json(store.args, 0, store.strings),
            "{\"x\":[],\"x[99999999999999999999999]\":1,\"x[\":1,\"ok\":1}");
}

TEST_F(SqlFunctions, TraceBounds) {
  store.trace_start = 5;
  store.trace_end = 12;
  EXPECT_EQ(run("SELECT trace_start() AS s, trace_end() AS e, trace_dur() AS d;"
                "SELECT * FROM trace_bounds; SELECT * FROM _trace_bounds"),
            "s, e, d\n5, 12, 7\n--\nstart_ts, end_ts\n5, 12\n--\nstart_ts, end_ts\n5, 12\n--\n");
}

TEST_F(SqlFunctions, RealtimeInSteps) {
  add_reading(300, 1, 1190);
  add_reading(100, 1, 1000);
  add_reading(200, 1, 1105);
  add_reading(200, 1, 9999);  // same moment: the first row applies
  add_reading(100, 3, 40);
  EXPECT_EQ(rows("SELECT to_realtime(50), to_realtime(100), to_realtime(150), to_realtime(199), "
                 "to_realtime(200), to_realtime(299), to_realtime(450)"),
            "1000, 1000, 1050, 1099, 1105, 1190, 1340");
  EXPECT_EQ(rows("SELECT to_monotonic(99), __intrinsic_to_monotonic(130), to_realtime(NULL)"),
            "40, 70, NULL");
  EXPECT_EQ(rows("SELECT to_realtime(9223372036854775807)"), "NULL");
  EXPECT_EQ(run("SELECT to_realtime('x')"), "TO_REALTIME: first argument should be timestamp");
  EXPECT_EQ(run("SELECT to_monotonic(1.0)"), "TO_MONOTONIC: first argument should be timestamp");
}

TEST_F(SqlFunctions, RealtimeIsThatOfTheTimelinesMachine) {
  add_reading(100, 1, 1000, 0);
  add_reading(200, 1, 7000, 1);
  add_reading(200, 3, 50, 0);
  store.timeline_machine = 1;
  EXPECT_EQ(rows("SELECT to_realtime(300)"), "7100");
  EXPECT_EQ(rows("SELECT to_monotonic(300)"), "150");  // only another machine has rows
}

TEST_F(SqlFunctions, TimesWithoutClocksAreNull) {
  EXPECT_EQ(rows("SELECT to_realtime(1), to_monotonic(1), abs_time_str(1), abs_time_str(NULL)"),
            "NULL, NULL, NULL, NULL");
}

TEST_F(SqlFunctions, DateAndTime) {
  EXPECT_EQ(date_and_time(1'700'000'000'000'000'123), "2023-11-14T22:13:20.000000123");
  EXPECT_EQ(date_and_time(-1), "1969-12-31T23:59:59.999999999");
  EXPECT_EQ(date_and_time(INT64_MIN), "1677-09-21T00:12:43.145224192");
  EXPECT_EQ(date_and_time(INT64_MAX), "2262-04-11T23:47:16.854775807");
  add_reading(1000, 1, 1'700'000'000'000'000'123);
  EXPECT_EQ(rows("SELECT abs_time_str(61000001000), __intrinsic_abs_time_str(1001)"),
            "'2023-11-14T22:14:21.000000123', '2023-11-14T22:13:20.000000124'");
  EXPECT_EQ(run("SELECT abs_time_str('x')"), "ABS_TIME_STR: first argument should be timestamp");
}

TEST_F(SqlFunctions, ExtractMetadata) {
  add_metadata("trace_type", OptInt::kNull, "json", kNone, 0);
  add_metadata("system_name", OptInt::kNull, "Host", 0, kNone);
  add_metadata("system_name", OptInt::kNull, "Guest", 1, kNone);
  add_metadata("clock", 6, "", kNone, kNone);
  add_metadata("both", 6, "text", 1, 0);
  EXPECT_EQ(rows("SELECT extract_metadata('system_name'), extract_metadata('clock'), "
                 "extract_metadata('both'), extract_metadata('nope'), extract_metadata(NULL)"),
            "'Host', 6, 'text', NULL, NULL");
  EXPECT_EQ(rows("SELECT extract_metadata_for_machine(1, 'system_name'), "
                 "extract_metadata_for_machine(0, 'trace_type'), "
                 "extract_metadata_for_machine(NULL, 'system_name'), "
                 "extract_metadata_for_trace(0, 'trace_type'), "
                 "extract_exact_metadata(1, 0, 'both'), extract_exact_metadata(0, 0, 'both')"),
            "'Guest', NULL, NULL, 'json', 'text', NULL");
}

TEST_F(SqlFunctions, SliceIsAncestor) {
  add_slice(10, 10, 0, 0);
  add_slice(12, 3, 0, 1);
  add_slice(14, -1, 0, 1);  // open
  add_slice(12, 3, 1, 1);
  add_slice(0, -1, 0, 0);
  EXPECT_EQ(rows("SELECT slice_is_ancestor(0, 1), slice_is_ancestor(1, 0), slice_is_ancestor(0, 2),"
                 "slice_is_ancestor(0, 3), slice_is_ancestor(4, 2), slice_is_ancestor(0, 99)"),
            "1, 0, 0, 0, 1, NULL");
}

TEST_F(SqlFunctions, JoinsLookUpRows) {
  add_threads(50);
  for (uint32_t i = 0; i < 1000; ++i) add_slice(i, i % 10, i % 50, 0);
  const std::string from = "EXPLAIN QUERY PLAN SELECT count(*) FROM ";
  for (const char* joins :
       {"slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread USING (utid)",
        "slice s CROSS JOIN thread_track tt ON s.track_id = tt.id "
        "CROSS JOIN thread t ON t.utid = tt.utid",
        "thread t JOIN thread_track tt USING (utid) JOIN slice s ON s.track_id = tt.id",
        "slice s LEFT JOIN slice p ON s.parent_id = p.id "
        "LEFT JOIN thread t ON t.id = s.depth"}) {
    const std::string plan = run(from + joins);
    size_t lookups = 0;
    for (size_t at = plan.find(" = ?"); at != std::string::npos; at = plan.find(" = ?", at + 1))
      ++lookups;
    EXPECT_EQ(lookups, 2u) << plan;
    EXPECT_EQ(plan.find("AUTOMATIC"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("MATERIALIZE"), std::string::npos) << plan;
  }
}

}  // namespace
}  // namespace tracebraid
