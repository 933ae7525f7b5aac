#include "query/compile/column_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>

#include "query/compile/parameters.h"
#include "query/compile/select_text.h"
#include "query/compile/statement.h"
#include "query/compile/tokens.h"
#include "query/group/read_values.h"

namespace tracebraid {
namespace {

struct Instruction {
  std::string name;
  int p1 = 0, p2 = 0, p3 = 0;
  std::string p4;
};

// A jump past a row if the comparison holds. SQLite compiles one for a constraint of which it does
// not know whether the scan decides it, and for its parts.
struct Jump {
  std::string_view name;
  Op op, op_of_nulls;
};
// The same for IS NULL and IS NOT NULL, without a text.
constexpr Jump kNullJumps[] = {{"IsNull", Op::IsNotNull, Op::IsNotNull},
                               {"NotNull", Op::IsNull, Op::IsNull}};
constexpr Jump kJumps[] = {{"Ne", Op::Eq, Op::Is}, {"Eq", Op::Ne, Op::IsNot},
                           {"Gt", Op::Le, Op::Le}, {"Ge", Op::Lt, Op::Lt},
                           {"Lt", Op::Ge, Op::Ge}, {"Le", Op::Gt, Op::Gt}};

using Program = std::vector<Instruction>;

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
constexpr size_t kLongestProgram = 200;

std::optional<Program> program_of(sqlite3* db, std::string_view sql) {
  const StatementPtr statement = prepare(db, "EXPLAIN " + std::string(sql));
  sqlite3_stmt* const compiled = statement.get();
  if (compiled == nullptr) return std::nullopt;
  const auto text = [&](int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(compiled, column));
    return std::string(bytes == nullptr ? "" : bytes);
  };
  Program program;
  int rc = SQLITE_DONE;
  while ((rc = sqlite3_step(compiled)) == SQLITE_ROW) {
    if (program.size() == kLongestProgram) return std::nullopt;
    program.push_back({text(1), sqlite3_column_int(compiled, 2), sqlite3_column_int(compiled, 3),
                       sqlite3_column_int(compiled, 4), text(5)});
  }
  return rc == SQLITE_DONE ? std::optional(std::move(program)) : std::nullopt;
}

// The operations of the loop over the rows of a scan.
struct Loop {
  // Rows that do not satisfy the check are skipped.
  struct Check {
    int column;
    const Jump* jump;
    std::optional<std::string_view> text;
  };
  // A column, -1 for the row number, or a function of it and of the registers behind it.
  struct Value {
    int column;
    std::string_view function = {};  // "clock_convert(5)", or empty
    int arguments = 0;               // the register of the first one
  };
  std::vector<Check> checks;
  std::vector<Value> values;  // by position in the result
  std::optional<int> offset_register, limit_register;
};

// Reads a program and finds the numbers that it loads into registers.
class Reader {
 public:
  Reader(const Program& program, std::span<const Cell> values, const TableModule& module)
      : program_(program), values_(values), module_(module) {}

  std::optional<Loop> read() {
    const std::optional<size_t> filter = find_filter();
    if (!filter) return std::nullopt;
    return read_loop(*filter);
  }
  // Returns the value in a register when the scan starts; nothing if it is not known. The text is
  // valid as long as the program.
  std::optional<Cell> constant(int reg) const {
    if (const std::optional<int64_t> known = number(reg)) return Cell::of(*known);
    const auto found = literals_.find(reg);
    if (found == literals_.end()) return std::nullopt;
    return found->second ? Cell::of(*found->second) : Cell::null();
  }
  // Returns the number in a register when the scan starts; nothing if no integer is known.
  std::optional<int64_t> number(int reg) const {
    const auto found = numbers_.find(reg);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  bool is(size_t at, std::string_view name) const {
    return at < program_.size() && program_[at].name == name;
  }

  // Skips the instructions before the scan. Returns nothing if they do more than load constants.
  std::optional<size_t> find_filter() {
    if (!is(0, "Init")) return std::nullopt;
    bool has_opened = false;
    auto at = static_cast<size_t>(program_[0].p2);
    for (size_t steps = 0; at < program_.size() && steps < kLongestProgram; ++steps) {
      const Instruction& instruction = program_[at];
      const std::string& name = instruction.name;
      if (name == "VFilter") {
        cursor_ = instruction.p1;
        end_ = instruction.p2;
        return has_opened && cursor_ == opened_ ? std::optional(at) : std::nullopt;
      }
      if (name == "Goto") {
        at = static_cast<size_t>(instruction.p2);
        continue;
      }
      if (name == "VOpen") {
        if (has_opened || !is_ours(instruction.p4)) return std::nullopt;
        has_opened = true;
        opened_ = instruction.p1;
      } else if (!load(instruction)) {
        return std::nullopt;
      }
      ++at;
    }
    return std::nullopt;
  }

  // Returns whether a cursor reads one of our tables: "vtab:55D0C0FFEE".
  bool is_ours(std::string_view operand) const {
    constexpr std::string_view kVtab = "vtab:";
    if (!operand.starts_with(kVtab)) return false;
    operand.remove_prefix(operand.starts_with("vtab:0x") ? kVtab.size() + 2 : kVtab.size());
    uintptr_t address = 0;
    std::from_chars(operand.data(), operand.data() + operand.size(), address, 16);
    return module_.vtabs.contains(reinterpret_cast<const void*>(address));
  }

  bool load(const Instruction& instruction) {
    const std::string& name = instruction.name;
    texts_.erase(instruction.p2);
    literals_.erase(instruction.p2);
    if (name == "String8") {
      literals_[instruction.p2] = instruction.p4;
    } else if (name == "Null") {
      for (int reg = instruction.p2; reg <= std::max(instruction.p2, instruction.p3); ++reg)
        literals_[reg] = std::nullopt;
    } else if (name == "Integer") {
      numbers_[instruction.p2] = instruction.p1;
    } else if (name == "SCopy") {
      const std::optional<int64_t> copied = number(instruction.p1);
      if (!copied) return false;
      numbers_[instruction.p2] = *copied;
    } else if (name == "Int64") {
      int64_t value = 0;
      std::from_chars(instruction.p4.data(), instruction.p4.data() + instruction.p4.size(), value);
      numbers_[instruction.p2] = value;
    } else if (name == "Variable") {
      const auto index = static_cast<size_t>(instruction.p1) - 1;
      if (index < values_.size() && values_[index].kind == Cell::Kind::Text)
        texts_[instruction.p2] = values_[index].text;
      if (index < values_.size() && values_[index].kind == Cell::Kind::Int)
        numbers_[instruction.p2] = values_[index].integer;
      else
        numbers_.erase(instruction.p2);
    } else if (name == "IfNot") {
      // LIMIT 0 jumps to the end at once, and so does an exhausted limit.
      return number(instruction.p1).has_value();
    } else if (name == "OffsetLimit") {
      return number(instruction.p1).has_value() && number(instruction.p3).has_value();
    } else if (name == "MustBeInt") {
      return number(instruction.p1).has_value();
    } else {
      constexpr std::string_view kHarmless[] = {"Transaction", "TableLock", "Explain",
                                                "Noop",        "Real",      "Blob"};
      return std::ranges::find(kHarmless, name) != std::end(kHarmless);
    }
    return true;
  }

  bool is_of_cursor(size_t at) const { return program_[at].p1 == cursor_; }

  // Matches `VColumn, Ne`: compares a column with a text that the caller bound.
  const Jump* jump_at(size_t at, size_t next_at) const {
    if (!is(at, "VColumn") || !is_of_cursor(at) || at + 1 >= next_at) return nullptr;
    const Instruction& test = program_[at + 1];
    const auto* jump = std::ranges::find(kJumps, test.name, &Jump::name);
    const bool compares = jump != std::end(kJumps) && static_cast<size_t>(test.p2) == next_at &&
                          test.p3 == program_[at].p3 && texts_.contains(test.p1) &&
                          test.p4.starts_with("BINARY");
    return compares ? jump : nullptr;
  }

  // Matches `VColumn, IsNull`.
  const Jump* null_jump_at(size_t at, size_t next_at) const {
    if (!is(at, "VColumn") || !is_of_cursor(at) || at + 1 >= next_at) return nullptr;
    const Instruction& test = program_[at + 1];
    const auto* jump = std::ranges::find(kNullJumps, test.name, &Jump::name);
    const bool tests = jump != std::end(kNullJumps) && static_cast<size_t>(test.p2) == next_at &&
                       test.p1 == program_[at].p3;
    return tests ? jump : nullptr;
  }

  std::optional<Loop> read_loop(size_t filter) const {
    Loop loop;
    size_t at = filter + 1;
    const auto next =
        std::find_if(program_.begin() + static_cast<ptrdiff_t>(at), program_.end(),
                     [](const Instruction& instruction) { return instruction.name == "VNext"; });
    const auto next_at = static_cast<size_t>(next - program_.begin());
    const bool loops = next != program_.end() && next->p1 == cursor_ &&
                       static_cast<size_t>(next->p2) == filter + 1 && is(next_at + 1, "Halt") &&
                       static_cast<size_t>(end_) == next_at + 1;
    if (!loops) return std::nullopt;
    for (;; at += 2) {
      if (const Jump* jump = jump_at(at, next_at))
        loop.checks.push_back({program_[at].p2, jump, texts_.at(program_[at + 1].p1)});
      else if (const Jump* null_jump = null_jump_at(at, next_at))
        loop.checks.push_back({program_[at].p2, null_jump, std::nullopt});
      else
        break;
    }
    if (is(at, "IfPos")) {
      if (static_cast<size_t>(program_[at].p2) != next_at || program_[at].p3 != 1)
        return std::nullopt;
      loop.offset_register = program_[at++].p1;
    }
    std::map<int, Loop::Value> registers;
    for (;; ++at) {
      if ((is(at, "VColumn") || is(at, "Rowid")) && is_of_cursor(at)) {
        const bool is_row_number = program_[at].name == "Rowid";
        registers[is_row_number ? program_[at].p2 : program_[at].p3] = {
            is_row_number ? -1 : program_[at].p2};
      } else if (is(at, "Function")) {
        const Instruction& call = program_[at];
        const auto argument = registers.find(call.p2);
        if (argument == registers.end() || !argument->second.function.empty()) return std::nullopt;
        registers[call.p3] = {argument->second.column, call.p4, call.p2};
      } else {
        break;
      }
    }
    if (!is(at, "ResultRow")) return std::nullopt;
    for (int i = 0; i < program_[at].p2; ++i) {
      const auto found = registers.find(program_[at].p1 + i);
      if (found == registers.end()) return std::nullopt;
      loop.values.push_back(found->second);
    }
    ++at;
    if (is(at, "DecrJumpZero")) {
      if (static_cast<size_t>(program_[at].p2) != next_at + 1) return std::nullopt;
      loop.limit_register = program_[at++].p1;
    }
    return at == next_at ? std::optional(std::move(loop)) : std::nullopt;
  }

  const Program& program_;
  std::span<const Cell> values_;
  const TableModule& module_;
  std::map<int, int64_t> numbers_;
  std::map<int, std::string_view> texts_;                    // bound texts in registers
  std::map<int, std::optional<std::string_view>> literals_;  // other texts and NULL in registers
  int opened_ = 0, cursor_ = 0, end_ = 0;
};

// Runs the statement up to the start of its scan, which is captured.
bool capture(ConnectionState& connection, sqlite3_stmt* compiled, ScanCapture& captured) {
  connection.module.capture = &captured;
  const int rc = sqlite3_step(compiled);
  connection.module.capture = nullptr;
  sqlite3_reset(compiled);
  return rc == SQLITE_DONE && captured.table != nullptr;
}

// Returns whether the scan makes the same comparison: it compares texts with texts as SQLite does.
bool is_settled(const Loop::Check& check, const ScanCapture& captured) {
  const ColumnView& column = captured.table->view().columns[static_cast<size_t>(check.column)];
  if (!check.text)
    return std::ranges::any_of(captured.plan.terms, [&](const PlanTerm& term) {
      return term.column == &column && term.op == check.jump->op;
    });
  if (column.sql_type != SqlType::Text) return false;
  for (size_t i = 0; i < captured.plan.terms.size(); ++i) {
    const PlanTerm& term = captured.plan.terms[i];
    const std::vector<Cell>& operand = captured.operands[i];
    if (term.column == &column &&
        (term.op == check.jump->op || term.op == check.jump->op_of_nulls) && operand.size() == 1 &&
        operand[0].kind == Cell::Kind::Text && operand[0].text == *check.text)
      return true;
  }
  return false;
}

// Sets TableModule::is_only_table.
class OnlyTable {
 public:
  explicit OnlyTable(TableModule& module) : module_(module) { module_.is_only_table = true; }
  ~OnlyTable() { module_.is_only_table = false; }
  OnlyTable(const OnlyTable&) = delete;
  OnlyTable& operator=(const OnlyTable&) = delete;

 private:
  TableModule& module_;
};

// The function of an operand such as "clock_convert(5)"; null unless its results for a column are
// integers.
const SqlFunction* function_of(const ConnectionState& connection, std::string_view operand) {
  const std::string_view name = operand.substr(0, operand.find('('));
  const auto found = std::ranges::find_if(connection.functions, [&](const SqlFunction& function) {
    return function.gives_integers && same_name(function.signature.name, name) &&
           operand == fmt::format("{}({})", name, function.signature.parameters.size());
  });
  return found == connection.functions.end() ? nullptr : &*found;
}

// Sets the calls of the scan, whose columns are known. Returns false if SQLite must call one.
bool set_calls(const ConnectionState& connection, const Reader& reader, const Loop& loop,
               ColumnScan& scan) {
  const auto is_call = [](const Loop::Value& value) { return !value.function.empty(); };
  if (std::ranges::none_of(loop.values, is_call)) return true;
  scan.calls.resize(loop.values.size());
  for (size_t i = 0; i < loop.values.size(); ++i) {
    const Loop::Value& value = loop.values[i];
    if (!is_call(value)) continue;
    StoredCall& call = scan.calls[i];
    call.function = function_of(connection, value.function);
    if (call.function == nullptr) return false;
    const ColumnView& column = *scan.columns[i];
    if (column.sql_type != SqlType::Integer || type_read(column) == CellType::Computed)
      return false;
    const auto arguments = static_cast<int>(call.function->signature.parameters.size());
    for (int k = 1; k < arguments; ++k) {
      std::optional<Cell> constant = reader.constant(value.arguments + k);
      if (!constant) return false;
      if (constant->kind == Cell::Kind::Text)
        constant->text = scan.texts.emplace_back(constant->text);
      call.constants.push_back(*constant);
    }
    if (!call.function->call_for_integers(call.constants, {}, {})) return false;
  }
  return true;
}

Result<std::unique_ptr<ColumnScan>> scan_of(ConnectionState& connection, sqlite3_stmt* compiled,
                                            std::string_view sql, std::span<const Cell> values,
                                            ScanCalls calls) {
  const std::optional<Program> program = program_of(connection.db.get(), sql);
  if (!program) return nullptr;
  Reader reader(*program, values, connection.module);
  const std::optional<Loop> loop = reader.read();
  if (!loop) return nullptr;
  auto found = std::make_unique<ColumnScan>();
  found->limit = kNoLimit;
  if (loop->limit_register) {
    const std::optional<int64_t> limit = reader.number(*loop->limit_register);
    if (!limit) return nullptr;
    if (*limit >= 0) found->limit = static_cast<uint64_t>(*limit);
  }
  if (loop->offset_register) {
    const std::optional<int64_t> offset = reader.number(*loop->offset_register);
    if (!offset) return nullptr;
    found->offset = static_cast<uint64_t>(std::max<int64_t>(*offset, 0));
  }
  if (found->limit == 0) return nullptr;  // SQLite starts no scan
  if (!capture(connection, compiled, found->captured)) return nullptr;
  const ScanCapture& captured = found->captured;
  for (const Loop::Check& check : loop->checks)
    if (!is_settled(check, captured)) return nullptr;
  for (const Loop::Value& value : loop->values)
    found->columns.push_back(
        value.column < 0 ? &kRowid
                         : &captured.table->view().columns[static_cast<size_t>(value.column)]);
  if (!set_calls(connection, reader, *loop, *found)) return nullptr;
  if (calls == ScanCalls::None && !found->calls.empty()) return nullptr;
  std::vector<Scan::Operand> operands;
  for (const std::vector<Cell>& operand : captured.operands) operands.push_back({operand});
  found->stats = connection.module.stats;
  found->scan.measure(found->stats == nullptr ? nullptr : &found->time);
  if (!found->scan.start(*captured.table, captured.plan, operands, connection.stop,
                         captured.columns_read))
    return tl::unexpected(connection.stop.error());
  return found;
}

}  // namespace

Result<std::unique_ptr<ColumnScan>> column_scan(ConnectionState& connection, sqlite3_stmt* compiled,
                                                std::string_view sql, std::span<const Cell> values,
                                                ScanCalls calls) {
  if (sqlite3_stmt_isexplain(compiled) != 0 || !is_keyword(first_token(skip_space(sql)), "SELECT"))
    return nullptr;
  TB_TRY_ASSIGN(std::unique_ptr<ColumnScan> found,
                scan_of(connection, compiled, sql, values, calls));
  if (found != nullptr || values.empty()) return found;
  // A scan whose operands may be columns of another table leaves sorting to SQLite. A statement
  // over several tables is compiled like this, too, but no scan is taken from it.
  const OnlyTable only(connection.module);
  const StatementPtr again = prepare(connection.db.get(), sql);
  if (again == nullptr) return nullptr;
  bind_all(again.get(), values);
  return scan_of(connection, again.get(), sql, values, calls);
}

}  // namespace tracebraid
