// RowWriter: emits a row of a plain table (EventKind::Row), cell by cell.
//
//   RowWriter(sink, "filedescriptor").integer("fd", 3).text("path", path).finish(time);
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "event/make_event.h"
#include "event/sink.h"

namespace tracebraid {

// Requires: no other arg set is open until finish().
class RowWriter {
 public:
  // `table` is the name of the member of Store (tables/store.h); `column` is the name of a column.
  RowWriter(EventSink& sink, std::string_view table) : sink_(sink), table_(table) {
    sink_.open_args();
  }

  RowWriter& cell(std::string_view column, ArgType type, int64_t value) {
    const StringId name = sink_.string(column);
    sink_.arg(sink_.arg_key({name, name}), type, value);
    return *this;
  }
  RowWriter& integer(std::string_view column, int64_t value) {
    return cell(column, ArgType::Int, value);
  }
  RowWriter& real(std::string_view column, double value) {
    return cell(column, ArgType::Real, std::bit_cast<int64_t>(value));
  }
  RowWriter& text(std::string_view column, std::string_view value) {
    return cell(column, ArgType::String, sink_.string(value).row);
  }
  // Cells with an index of the processes, threads, tracks or callsites of the batch.
  RowWriter& process(std::string_view column, uint32_t process) {
    return cell(column, ArgType::Process, process);
  }
  RowWriter& thread(std::string_view column, uint32_t thread) {
    return cell(column, ArgType::Thread, thread);
  }
  RowWriter& track(std::string_view column, uint32_t track) {
    return cell(column, ArgType::Track, track);
  }
  RowWriter& callsite(std::string_view column, uint32_t callsite) {
    return cell(column, ArgType::Callsite, callsite);
  }
  // A cell that refers to an earlier row of the batch by its `number`.
  RowWriter& row(std::string_view column, int64_t number) {
    return cell(column, ArgType::Row, number);
  }

  // Returns the row at `time`. `args` is the set of arg_set_id; later rows refer to the last row
  // with this `number` (0: none). Equal rows of a table with negative numbers are one row.
  Event finish(const EventTime& time, uint32_t args = kNone, int64_t number = 0);

 private:
  EventSink& sink_;
  std::string_view table_;
};

}  // namespace tracebraid
