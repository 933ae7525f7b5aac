#include "query/compile/database.h"

namespace tracebraid {

Result<Database> Database::open(std::vector<TableView> tables, const StringPool& strings,
                                std::vector<SqlFunction> functions, std::string_view prelude,
                                BeforeUse before_use) {
  TB_TRY_ASSIGN(Connection connection,
                Connection::open(std::make_shared<const TableSet>(TableSetParts{
                    .tables = std::move(tables),
                    .strings = &strings,
                    .functions = [functions = std::move(functions)] { return functions; },
                    .prelude = std::string(prelude),
                    .before_use = std::move(before_use)})));
  return Database(std::move(connection));
}

Result<> Database::run(std::string_view sql, RowSink& sink) {
  Result<> ran = tracebraid::run(connection_, sql, sink, {.stop = stop_});
  stop_->clear();  // a request that comes from now on is for the next run
  return ran;
}

}  // namespace tracebraid
