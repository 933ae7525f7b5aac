#include "cli/arrow_rows.h"

#include "cli/interrupt.h"
#include "engine/arrow.h"

namespace tracebraid {

Result<> write_arrow_rows(TraceConnection& connection, std::string_view sql, Output& out) {
  const OnInterrupt stop(connection);
  TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query, connection.query(sql));
  TB_TRY_ASSIGN(std::shared_ptr<const Schema> schema, query->schema());
  const std::unique_ptr<BatchSink> writer = make_arrow_writer(std::move(schema), out);
  for (;;) {
    TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, query->next());
    if (!batch) break;
    if (!writer->add(*batch)) return {};  // the caller reports the failure of `out`
  }
  writer->end();
  out.flush();
  return {};
}

}  // namespace tracebraid
