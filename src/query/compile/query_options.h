// QueryOptions: the settings of a query besides its text.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "query/batch/record_batch.h"
#include "query/compile/parameters.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct QueryOptions {
  std::vector<Parameter> parameters = {};
  // Ends the query with Cancelled: before, during and between rows. May be null.
  std::shared_ptr<const Stop> stop = {};
  // The query ends with Timeout afterwards.
  std::optional<StopCheck::Clock::time_point> deadline = {};

  // The following options apply to query/compile/query.h only.
  std::vector<Field> types = {};  // of result columns by name, instead of inferred types
  // Types as describe() tells them, so that integers which overflow are an Error (TypeChanged).
  bool described_types = false;
  bool plain_text = false;  // texts as Utf8 instead of Dictionary
  // For text and files of the same values: columns whose type depends on the rows are Variant and
  // texts that are not UTF-8 stay, so nothing is changed and no row is kept; rows before an error
  // come before it. Texts are Utf8.
  bool verbatim = false;
  bool stored_as_dictionary = false;   // texts of stored columns as Dictionary, also verbatim
  size_t batch_rows = kMostBatchRows;  // limit of rows per batch
  // A batch ends when its first row has waited so long, as it does where rows come slowly; checked
  // with each row. Zero: batches are as full as they can be.
  std::chrono::milliseconds batch_time{0};
  uint64_t most_rows = 0;  // limit of rows; more are an Error (Limit); 0: no limit
  size_t most_bytes = 0;   // limit of buffered rows, batches and dictionaries, bytes; 0: no limit
  // Limit of the texts of a column in a batch, which ends when they are full, and of a dictionary,
  // of which more are an Error (Limit). At most kMostTextBytes; tests use less.
  size_t most_text_bytes = kMostTextBytes;

  DataType text_type() const { return plain_text ? DataType::Utf8 : DataType::Dictionary; }
};

}  // namespace tracebraid
