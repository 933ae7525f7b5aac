#include "cli/show_rows.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "base/progress.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

// Whether the progress can stay on the terminal while rows are written: not beside a pipe, because
// its reader, such as less, may write to the same terminal.
bool can_write_beside_progress(int fd) {
  struct stat status = {};
  return isatty(fd) == 1 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
}

// Passes on the first rows of each result set and counts the rest.
class ShownRows final : public BatchSink {
 public:
  ShownRows(BatchSink& to, Output& out, const RowDisplay& display, uint64_t most_rows, int fd)
      : to_(to),
        out_(out),
        display_(display),
        most_rows_(most_rows),
        keeps_bar_(can_write_beside_progress(fd)) {
    progress_.begin("running", 0, "rows");
    if (display.shows_progress && isatty(STDERR_FILENO) == 1) bar_.emplace(progress_);
  }

  void begin(const Schema& schema) override {
    shown_ = rows_ = 0;
    to_.begin(schema);
  }

  bool add(const RecordBatch& batch) override {
    const uint64_t room = most_rows_ == 0 ? batch.rows : most_rows_ - std::min(most_rows_, shown_);
    const bool is_first_left_out = room < batch.rows && shown_ == rows_;
    rows_ += batch.rows;
    all_rows_ += batch.rows;
    progress_.advance(batch.rows);
    if (room == 0 && !is_first_left_out) return out_.ok();
    const std::unique_lock<std::mutex> paused = pause();
    RecordBatch part = batch;
    part.rows = std::min<uint64_t>(room, batch.rows);
    shown_ += part.rows;
    if (part.rows > 0 && !to_.add(part)) return false;
    if (is_first_left_out) {
      to_.end();
      out_.flush();
    }
    return out_.ok();
  }

  void end() override {
    const std::unique_lock<std::mutex> paused = pause();
    to_.end();
    if (shown_ < rows_)
      out_.buffer() +=
          fmt::format("({} of {} rows; {})\n", shown_, count_text(static_cast<int64_t>(rows_)),
                      display_.all_rows_advice);
  }

  uint64_t all_rows() const { return all_rows_; }

 private:
  // Clears the progress for output.
  std::unique_lock<std::mutex> pause() {
    if (!keeps_bar_) bar_.reset();
    return bar_ ? bar_->pause() : std::unique_lock<std::mutex>();
  }

  BatchSink& to_;
  Output& out_;
  const RowDisplay& display_;
  uint64_t most_rows_;
  bool keeps_bar_;
  uint64_t shown_ = 0, rows_ = 0, all_rows_ = 0;
  Progress progress_;
  std::optional<ProgressBar> bar_;
};

}  // namespace

RowsShown show_rows(TraceConnection& connection, std::string_view sql, const RowDisplay& display,
                    Output& out, int fd) {
  const bool is_limited = display.format->is_for_display && isatty(fd) == 1;
  const RowLayout layout = {.width = is_limited && !display.is_wide ? terminal_width(fd) : 0,
                            .all_columns_advice = display.all_columns_advice};
  const std::unique_ptr<BatchSink> writer = display.format->make(out, layout);
  RowsShown shown;
  {
    ShownRows rows(*writer, out, display, is_limited ? display.most_rows : 0, fd);
    const OnInterrupt stop(connection);
    shown.ran = connection.run(sql, rows, text_query_options());
    shown.rows = rows.all_rows();
  }
  writer->end();  // after an error
  out.flush();
  return shown;
}

}  // namespace tracebraid
