// Types of columns that follow from the text of a statement: of named cases, and of random
// statements, whose rows must have them.
#include "query/compile/select_types.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "query/compile/answer_test.h"
#include "query/compile/connection_state.h"
#include "query/compile/result_types.h"
#include "query/compile/statement.h"

namespace tracebraid {
namespace {

using Random = std::mt19937;
using Texts = std::vector<std::string>;

struct Values {
  StringPool strings;
  Column<OptInt> whole;  // with NULLs, and numbers that overflow soon
  Column<double> part;
  PackedColumn<StringId> name;
  std::shared_ptr<const TableSet> tables;

  Values() {
    constexpr int kRows = 40;
    const int64_t numbers[] = {0, 1, -7, 1'000'000'000, std::numeric_limits<int64_t>::max() / 3};
    const char* words[] = {"", "a", "12", "0.5"};
    for (int row = 0; row < kRows; ++row) {
      whole.append({row % 4 == 3 ? OptInt::kNull : numbers[row % 5]});
      part.append(row % 3 == 2 ? std::nan("") : 0.25 * row);
      name.append(row % 5 == 4 ? StringId{} : strings.intern(words[row % 4]));
    }
    tables = std::make_shared<const TableSet>(TableSetParts{
        .tables = {{"__intrinsic_value",
                    "",
                    kRows,
                    {{.name = "id", .order = Order::Sorted},
                     column_view("whole", "", Order::None, whole),
                     column_view("part", "", Order::None, part),
                     column_view("name", "", Order::None, name)}}},
        .strings = &strings,
        .prelude = "CREATE VIRTUAL TABLE value USING __intrinsic_dataframe(__intrinsic_value, id, "
                   "whole, part, name);"
                   "CREATE VIEW shown AS SELECT id, whole / 2 AS whole, part * 2 AS part, name || "
                   "'x' AS name FROM value WHERE id > 3;"
                   "CREATE VIEW named(id, whole, part, name) AS SELECT id, length(name), "
                   "round(part), upper(name) FROM value;"});
  }
};

class SelectTypes : public testing::Test {
 protected:
  Values values;
  Connection connection = *Connection::open(values.tables);

  std::vector<Field> fields(const std::string& sql, TypesOf types) {
    ConnectionState& state = connection.state();
    const StatementPtr compiled = prepare(state.db.get(), sql);
    if (compiled == nullptr) return {};
    return result_fields(state, compiled.get(), sql, column_names(compiled.get()), DataType::Utf8,
                         types);
  }
  // Returns the types as "Int64? Utf8": a question mark where a value may be of another type.
  std::string types(const std::string& sql) {
    constexpr std::string_view kNames[] = {"?",    "null",       "int",  "real",
                                           "text", "dictionary", "blob", "variant"};
    const std::vector<Field> sure = fields(sql, TypesOf::AllRows);
    const std::vector<Field> likely = fields(sql, TypesOf::MostRows);
    EXPECT_FALSE(sure.empty()) << sql;
    std::string text;
    for (size_t i = 0; i < likely.size(); ++i) {
      text += (i == 0 ? "" : " ") + std::string(kNames[static_cast<size_t>(likely[i].type)]);
      if (sure[i].type != likely[i].type) text += "?";
    }
    return text;
  }
  std::string type(const std::string& expression) {
    return types("SELECT " + expression + " FROM value");
  }
};

TEST_F(SelectTypes, FollowArithmetic) {
  EXPECT_EQ(type("whole + 1"), "int?");
  EXPECT_EQ(type("max(whole) / 1e6"), "real");
  EXPECT_EQ(type("sum(whole) / 1000"), "int?");
  EXPECT_EQ(type("sum(whole) * 1.0 / count(*)"), "real");
  EXPECT_EQ(type("-part"), "real");
  EXPECT_EQ(type("- - whole"), "int?");
  EXPECT_EQ(type("+name"), "text");
  EXPECT_EQ(type("name + 1"), "?");
  EXPECT_EQ(type("name * part"), "real");
  EXPECT_EQ(type("whole & 3 | name << 1"), "int");
  EXPECT_EQ(type("~name"), "int");
  EXPECT_EQ(type("~whole * 2.5"), "real");
  EXPECT_EQ(type("2.5 * ~whole"), "real");
  EXPECT_EQ(type("~ - part"), "int");
  EXPECT_EQ(type("part - NOT whole"), "?");
  EXPECT_EQ(type("name || + part"), "text");
  EXPECT_EQ(type("- name"), "?");
  EXPECT_EQ(type("whole % 3 < part AND name IS NULL"), "int");
  EXPECT_EQ(type("(whole + 1) || part"), "text");
  EXPECT_EQ(type("NULL"), "?");
  EXPECT_EQ(type("NULL + 1"), "int?");
}

TEST_F(SelectTypes, FollowFunctions) {
  EXPECT_EQ(type("coalesce(name, 'none')"), "text");
  EXPECT_EQ(type("coalesce(whole, 0)"), "int");
  EXPECT_EQ(type("coalesce(whole, 0.5)"), "real?");
  EXPECT_EQ(type("ifnull(whole, name)"), "?");
  EXPECT_EQ(type("CASE WHEN whole > 5 THEN 'a' WHEN whole THEN NULL ELSE name END"), "text");
  EXPECT_EQ(type("CASE whole WHEN 5 THEN 1 END"), "int");
  EXPECT_EQ(type("sum(CASE WHEN name GLOB 'a*' THEN 1 ELSE 0 END)"), "int");
  EXPECT_EQ(type("iif(whole > 5, part, NULL)"), "real");
  EXPECT_EQ(type("abs(whole)"), "int");
  EXPECT_EQ(type("round(part / 3, 2)"), "real");
  EXPECT_EQ(type("length(name)"), "int");
  EXPECT_EQ(type("substr(name, 1, 3)"), "text");
  EXPECT_EQ(type("substr(whole, 1, 3)"), "?");
  EXPECT_EQ(type("lower(name) COLLATE NOCASE"), "text");
  EXPECT_EQ(type("max(whole, id)"), "int");
  EXPECT_EQ(type("group_concat(DISTINCT name)"), "text");
  EXPECT_EQ(type("CAST(name AS VARCHAR(9))"), "text");
  EXPECT_EQ(type("CAST(name AS DOUBLE PRECISION)"), "real");
  EXPECT_EQ(type("CAST(name AS NUMERIC)"), "?");
  EXPECT_EQ(type("row_number() OVER (ORDER BY id)"), "int");
  EXPECT_EQ(type("lag(whole) OVER (PARTITION BY name ORDER BY id)"), "int");
  EXPECT_EQ(types("SELECT lead(whole, 1, 0.5) OVER w FROM value WINDOW w AS (ORDER BY id)"),
            "real?");
  EXPECT_EQ(type("count(*) FILTER (WHERE whole > 5)"), "int");
  EXPECT_EQ(type("EXISTS (SELECT 1)"), "int");
}

TEST_F(SelectTypes, FollowColumnsThroughStatements) {
  EXPECT_EQ(types("SELECT * FROM (SELECT sum(part) AS total, name FROM value GROUP BY 2)"),
            "real text");
  EXPECT_EQ(types("SELECT total / 2 FROM (SELECT sum(part) AS total FROM value)"), "real");
  EXPECT_EQ(types("WITH a AS (SELECT max(whole) AS most FROM value), b(m) AS (SELECT most FROM a) "
                  "SELECT m, m / 1e3, rowid FROM b, value"),
            "int real int");
  EXPECT_EQ(types("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) "
                  "SELECT i, count(*) FROM n"),
            "int? int");
  EXPECT_EQ(types("WITH RECURSIVE n(i, t) AS (SELECT 1, 'a' UNION ALL SELECT i * 0.5, t || i FROM "
                  "n LIMIT 9) SELECT i, t FROM n"),
            "real? text");
  EXPECT_EQ(types("WITH value AS (SELECT 'a' AS whole) SELECT max(whole) FROM value"), "text");
  EXPECT_EQ(types("SELECT whole, name FROM value UNION ALL SELECT id, upper(name) FROM shown"),
            "int text");
  EXPECT_EQ(types("SELECT whole FROM value UNION SELECT name FROM value"), "?");
  EXPECT_EQ(types("SELECT whole FROM value UNION SELECT part FROM value ORDER BY 1 LIMIT 3"),
            "real?");
  EXPECT_EQ(types("SELECT whole, part, name FROM shown"), "int? real text");
  EXPECT_EQ(types("SELECT whole, part, name FROM named"), "int real text");
  EXPECT_EQ(types("SELECT a.part, b.whole + 0.5, (SELECT max(name) FROM value c WHERE c.id = a.id) "
                  "FROM value a LEFT JOIN shown AS b USING (id)"),
            "real real text");
  EXPECT_EQ(
      types("SELECT value.\"part\" + 1 FROM main.value JOIN (shown s JOIN named n ON n.id = s.id)"),
      "real");
  EXPECT_EQ(types("VALUES (1, 'a', 1.5), (NULL, 'b', 2)"), "int text real?");
}

// The types of what the user made are not known; of a created table, they are.
TEST_F(SelectTypes, TellTablesApart) {
  ASSERT_TRUE(
      query_all(connection, "CREATE TABLE own AS SELECT 'x' AS whole").value().next_result());
  EXPECT_EQ(types("SELECT whole, whole + 1.5 FROM own"), "? real");
}

TEST_F(SelectTypes, EndWithHostileTexts) {
  const std::string deep(2000, '(');
  EXPECT_EQ(select_types("SELECT " + deep + "1" + std::string(2000, ')'), {}).has_value(), true);
  for (const char* text :
       {"", "SELECT", "WITH", "WITH a AS (", "WITH RECURSIVE a(b AS (SELECT", "SELECT CASE",
        "VALUES", "VALUES (1), 2", "SELECT a FROM (((", "SELECT . FROM .", "SELECT 1 UNION",
        "SELECT * FROM a(", "SELECT f(,) FROM \"", "SELECT CAST() FROM x AS",
        "SELECT (SELECT) FROM ON USING"})
    select_types(text, {.table = [](auto) { return TypedColumns(); },
                        .view = [](auto) { return std::string("CREATE VIEW ("); },
                        .table_function = [](auto) { return nullptr; },
                        .declared = [](auto, auto) { return DataType::Unknown; }});
}

// Makes statements whose types are known for the most part.
struct Statements {
  Random random;

  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); }
  std::string one_of(const Texts& texts) {
    return texts[static_cast<size_t>(pick(static_cast<int>(texts.size())))];
  }
  std::string leaf() {
    return one_of({"id", "whole", "part", "name", "1", "7", "2.5", "'t'", "NULL", "whole", "part"});
  }
  std::string expression(int depth) {
    if (depth == 0) return leaf();
    const auto sub = [&] { return expression(depth - 1); };
    switch (pick(9)) {
      case 0:
      case 1:
        return fmt::format("({} {} {})", sub(), one_of({"+", "-", "*", "/", "%"}), sub());
      case 2:
        return fmt::format("{} {} {}", sub(), one_of({"+", "*", "||", "&", "<", "="}), sub());
      case 3:
        return fmt::format("{}({}, {})", one_of({"coalesce", "ifnull", "nullif", "max", "min"}),
                           sub(), sub());
      case 4:
        return fmt::format(
            "{}({})", one_of({"abs", "round", "length", "upper", "typeof", "sign", "ceil"}), sub());
      case 5:
        return fmt::format("CASE WHEN {} THEN {} ELSE {} END", sub(), sub(), sub());
      case 6:
        return fmt::format("{} {}", one_of({"-", "+", "~", "NOT"}), sub());
      case 7:
        return fmt::format("iif({}, {}, {})", sub(), sub(), sub());
      default:
        return fmt::format("CAST({} AS {})", sub(), one_of({"INTEGER", "REAL", "TEXT"}));
    }
  }
  std::string source(int depth) {
    if (depth == 0) return one_of({"value", "shown", "named", "value a JOIN shown b USING (id)"});
    return fmt::format("(SELECT id, {} AS whole, {} AS part, {} AS name FROM {}{})", expression(1),
                       expression(1), expression(1), source(depth - 1),
                       pick(3) == 0 ? fmt::format(" UNION ALL SELECT id, {}, {}, name FROM value",
                                                  expression(1), expression(1))
                                    : std::string());
  }
  std::string aggregate() {
    return fmt::format("{}({})", one_of({"sum", "avg", "min", "max", "count", "total"}),
                       expression(2));
  }
  std::string statement() {
    const int form = pick(4);
    if (form == 0) return fmt::format("SELECT {}, {} FROM {}", aggregate(), aggregate(), source(1));
    if (form == 1)
      return fmt::format("WITH w AS (SELECT * FROM {}) SELECT {}, {} FROM w", source(1),
                         expression(2), expression(2));
    return fmt::format("SELECT {}, {}, (SELECT {} FROM value LIMIT 1) FROM {} AS s", expression(3),
                       expression(2), expression(2), source(pick(3) == 0 ? 2 : 1));
  }
};

bool has_type(Cell::Kind kind, DataType type, bool is_certain) {
  switch (type) {
    case DataType::Int64:
      return kind == Cell::Kind::Int || (!is_certain && kind == Cell::Kind::Real);
    case DataType::Float64:
      return kind == Cell::Kind::Real || (!is_certain && kind == Cell::Kind::Int);
    case DataType::Utf8:
      return kind == Cell::Kind::Text;
    default:
      return true;
  }
}

TEST_F(SelectTypes, HoldForTheRowsOfRandomStatements) {
  constexpr int kStatements = 4000;
  Statements statements{Random(11)};
  int ran = 0, columns = 0, certain = 0, likely = 0;
  for (int i = 0; i < kStatements; ++i) {
    const std::string sql = statements.statement();
    const std::vector<Field> sure = fields(sql, TypesOf::AllRows);
    const std::vector<Field> most = fields(sql, TypesOf::MostRows);
    Result<Query> rows = query(connection, sql, {.verbatim = true});
    if (!rows) continue;  // ambiguous names, for example
    for (size_t column = 0; column < sure.size(); ++column) {
      ++columns;
      certain += sure[column].type != DataType::Unknown ? 1 : 0;
      likely += most[column].type != DataType::Unknown ? 1 : 0;
    }
    for (;;) {
      const Result<std::optional<RecordBatch>> batch = rows->next();
      if (!batch || !*batch) break;  // an integer overflows, for example
      ++ran;
      for (size_t column = 0; column < sure.size(); ++column)
        for (size_t row = 0; row < (*batch)->rows; ++row) {
          const Cell cell = cell_at((*batch)->columns[column], row);
          if (cell.kind == Cell::Kind::Null) continue;
          ASSERT_TRUE(has_type(cell.kind, sure[column].type, true)) << sql << " column " << column;
          ASSERT_TRUE(has_type(cell.kind, most[column].type, false)) << sql << " column " << column;
        }
    }
  }
  EXPECT_GT(ran, kStatements / 2);
  EXPECT_GT(certain, columns * 4 / 10);
  EXPECT_GT(likely, columns * 5 / 10);
}

}  // namespace
}  // namespace tracebraid
