#include "server/api/row_sink.h"

#include "engine/arrow.h"

namespace tracebraid::api {
namespace {

class ArrowSet final : public BatchSink {
 public:
  ArrowSet(const std::shared_ptr<const Schema>& schema, Output& out)
      : writer_(schema, [&out](std::string_view bytes) {
          out.buffer() += bytes;
          out.drain();
          return out.ok();
        }) {}
  void begin(const Schema& /*schema*/) override {}
  bool add(const RecordBatch& batch) override { return writer_.add(batch); }
  void end() override { writer_.finish(); }

 private:
  ArrowStreamWriter writer_;
};

}  // namespace

std::unique_ptr<BatchSink> make_row_sink(std::string_view format,
                                         const std::shared_ptr<const Schema>& schema, Output& out) {
  if (format == "arrow") return std::make_unique<ArrowSet>(schema, out);
  return find_row_format(format)->make(out, {});
}

}  // namespace tracebraid::api
