#include "query/compile/select_batches.h"

#include <utility>

namespace tracebraid {

Result<> SelectBatches::compile() {
  TB_TRY_ASSIGN(statement_, script_.script.next(*script_.connection));
  names_ = column_names(statement_.get());
  return {};
}

Result<std::unique_ptr<SelectBatches>> SelectBatches::open(ConnectionState& connection,
                                                           SqlText select, QueryOptions options) {
  std::unique_ptr<SelectBatches> opened(new SelectBatches(
      {connection.shared_from_this(), std::move(options), Script(std::move(select))}));
  TB_TRY(opened->compile());
  return opened;
}

Result<std::unique_ptr<SelectBatches>> SelectBatches::open(ConnectionState& connection,
                                                           std::string_view select) {
  return open(connection, SqlText{std::string(select), SourceMap()}, {});
}

Result<std::optional<RecordBatch>> SelectBatches::next() {
  if (rows_ == nullptr) {
    TB_TRY_ASSIGN(const std::vector<Cell> values,
                  values_of_variables(statement_.get(), script_.options.parameters));
    bind_all(statement_.get(), values);
    TB_TRY_ASSIGN(rows_, StatementRows::begin(script_, std::move(statement_), values));
  }
  return rows_->next();
}

}  // namespace tracebraid
