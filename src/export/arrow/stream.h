// ArrowStreamWriter: writes batches as an Arrow IPC stream, chunk by chunk: a schema, dictionaries,
// record batches, end of stream; uncompressed (spec viewer C.2, library 2.4). Needs no Apache
// Arrow.
//
// Input: batches of a query. Output: bytes to a sink. Called by `query --format arrow` and by
// servers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/rows/output.h"
#include "query/batch/batch_sink.h"

namespace tracebraid {

// Receives the next bytes of the stream. False ends the stream. Must not keep the view.
using ArrowSink = std::function<bool(std::string_view bytes)>;

class ArrowStreamWriter {
 public:
  // Field::meaning is the field metadata tracebraid.type. A column of type Variant is written as
  // utf8, with the type "mixed".
  ArrowStreamWriter(std::shared_ptr<const Schema> schema, ArrowSink sink);
  ArrowStreamWriter(const ArrowStreamWriter&) = delete;
  ArrowStreamWriter& operator=(const ArrowStreamWriter&) = delete;

  // Writes a batch of the schema. A dictionary is written once; entries that were added since, as
  // a delta. Returns false if the sink ended the stream.
  bool add(const RecordBatch& batch);
  // Writes the end of the stream. Without batches the stream has the schema only.
  bool finish();

 private:
  bool write(std::string_view bytes);
  bool begin();
  bool add_dictionary(size_t column, const ArrayData& dictionary);

  std::shared_ptr<const Schema> schema_;
  ArrowSink sink_;
  std::vector<size_t> sent_;          // entries of the dictionary of each column
  std::vector<bool> has_dictionary_;  // whether its first part was written
  bool has_begun_ = false, has_ended_ = false;
};

// Returns a writer of one result set of this schema to `out`, which must outlive it. end() writes
// the end of the stream.
std::unique_ptr<BatchSink> make_arrow_writer(std::shared_ptr<const Schema> schema, Output& out);

}  // namespace tracebraid
