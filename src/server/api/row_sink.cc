#include "server/api/row_sink.h"

#include "engine/arrow.h"

namespace tracebraid::api {

std::unique_ptr<BatchSink> make_row_sink(std::string_view format,
                                         const std::shared_ptr<const Schema>& schema, Output& out) {
  if (format == "arrow") return make_arrow_writer(schema, out);
  return find_row_format(format)->make(out, {});
}

}  // namespace tracebraid::api
