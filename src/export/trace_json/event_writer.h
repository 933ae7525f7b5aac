// EventWriter: the text of a Trace Event JSON, event by event.
//
// Called by the parts of the exporter json. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/new_file.h"
#include "base/progress.h"
#include "export/selection.h"

namespace tracebraid {

class EventWriter {
 public:
  EventWriter(NewFile& file, Progress& progress, const Selection& selection);

  // Appends an event of traceEvents: begin(), members, end(). Between events, call drain().
  void begin(std::string_view phase, int64_t pid, int64_t tid);
  void end() { text_ += '}'; }

  // Append a member of the innermost object.
  void add_text(std::string_view name, std::string_view value);
  void add_integer(std::string_view name, int64_t value);
  void add_micros(std::string_view name, int64_t ns);
  void open_object(std::string_view name);
  void close_object() { text_ += '}'; }
  // Appends the name of a member; its value is to be appended to text().
  void add_name(std::string_view name);

  // The text that is not in the file yet.
  std::string& text() { return text_; }

  // Converts a time to the clock of the export. Returns false and counts the event if it has no
  // time there.
  bool move(int64_t& ts);

  // Writes the text to the file if it is long. Fails if the caller asked to cancel.
  Result<> drain();
  Result<> flush();
  // Counts one row that is no event of traceEvents.
  void count_row() { ++rows_; }
  // Reports the progress of one event.
  void advance() { progress_.advance(1); }

  uint64_t rows() const { return rows_; }    // written
  uint64_t bytes() const { return bytes_; }  // in the file
  uint64_t unplaced() const { return unplaced_; }

 private:
  NewFile& file_;
  Progress& progress_;
  const Selection& selection_;
  std::string text_;
  bool is_first_ = true;
  uint64_t rows_ = 0, bytes_ = 0, unplaced_ = 0;
};

}  // namespace tracebraid
