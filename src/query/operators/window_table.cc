#include "query/operators/window_table.h"

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "query/operators/operator_module.h"

namespace tracebraid {
namespace {

struct Vtab : sqlite3_vtab {
  OperatorContext* context = nullptr;
  int64_t start = 0, dur = 0, quantum = 0;
};

struct Cursor : sqlite3_vtab_cursor {
  int64_t step = 0, ts = 0;
  bool is_at_end = false;
};

std::optional<int64_t> number_of(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
  int64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || at != text.data() + text.size()) return std::nullopt;
  return value;
}

struct WindowModule {
  using Vtab = tracebraid::Vtab;
  using Cursor = tracebraid::Cursor;
  enum : int { Rowid, Quantum, Start, Dur, Ts, StepDur, Step };

  static const Vtab& table_of(const Cursor& cursor) {
    return *static_cast<const Vtab*>(cursor.pVtab);
  }
  static StopCheck& stop_of(void* data) { return *static_cast<OperatorContext*>(data)->stop; }
  static StopCheck& stop_of(const Vtab& vtab) { return *vtab.context->stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return stop_of(table_of(cursor)); }

  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<Vtab>& made, char** error) {
    const auto own = arguments.subspan(3);
    constexpr size_t kArguments = 3;
    if (own.size() != kArguments)
      return fail_create(
          error, {ErrorCode::Sql, fmt::format("Expected 3 arguments to __intrinsic_window, got {}",
                                              own.size())});
    const auto start = number_of(own[0]), dur = number_of(own[1]), quantum = number_of(own[2]);
    if (!start || !dur || !quantum || *quantum < 0)
      return fail_create(
          error, {ErrorCode::Sql, fmt::format("Unable to parse arguments as numbers: {}, {}, {}",
                                              own[0], own[1], own[2])});
    made = std::make_unique<Vtab>();
    made->context = static_cast<OperatorContext*>(data);
    made->start = *start;
    made->dur = *dur;
    made->quantum = *quantum;
    return sqlite3_declare_vtab(
        db,
        "CREATE TABLE x(rowid HIDDEN BIGINT, quantum HIDDEN BIGINT, window_start HIDDEN BIGINT, "
        "window_dur HIDDEN BIGINT, ts BIGINT, dur BIGINT, quantum_ts BIGINT, PRIMARY KEY(rowid))");
  }
  static int best_index(Vtab& vtab, sqlite3_index_info& info) {
    const int64_t rows = vtab.quantum == 0 ? 1 : vtab.dur / vtab.quantum + 1;
    info.estimatedRows = rows;
    info.estimatedCost = static_cast<double>(rows);
    return SQLITE_OK;
  }
  static void open(Vtab&, Cursor&) {}
  static int filter(Cursor& cursor, int, const char*, std::span<sqlite3_value*>) {
    cursor.step = 0;
    cursor.ts = table_of(cursor).start;
    // A window of length 0 has no step, except the whole window.
    cursor.is_at_end = table_of(cursor).quantum != 0 && table_of(cursor).dur <= 0;
    return SQLITE_OK;
  }
  static int next(Cursor& cursor) {
    const Vtab& table = table_of(cursor);
    ++cursor.step;
    int64_t end = 0;
    if (__builtin_add_overflow(table.start, table.dur, &end))
      end = std::numeric_limits<int64_t>::max();
    cursor.is_at_end = table.quantum == 0 ||
                       __builtin_add_overflow(cursor.ts, table.quantum, &cursor.ts) ||
                       cursor.ts >= end;
    return SQLITE_OK;
  }
  static bool at_end(const Cursor& cursor) { return cursor.is_at_end; }
  static sqlite3_int64 row_id(const Cursor& cursor) { return cursor.step; }
  static int column_value(const Cursor& cursor, sqlite3_context* context, int column) {
    const Vtab& table = table_of(cursor);
    const int64_t quantum = table.quantum == 0 ? table.dur : table.quantum;
    const auto value = [&]() -> int64_t {
      switch (column) {
        case Quantum:
          return table.quantum;
        case Start:
          return table.start;
        case Dur:
          return table.dur;
        case Ts:
          return cursor.ts;
        case StepDur:
          return quantum;
        default:
          return cursor.step;
      }
    };
    sqlite3_result_int64(context, value());
    return SQLITE_OK;
  }
};

}  // namespace

Result<> add_window_table(OperatorContext& context) {
  static const sqlite3_module module = creatable_module_of<WindowModule>();
  return add_module(context.db, "__intrinsic_window", module, &context);
}

}  // namespace tracebraid
