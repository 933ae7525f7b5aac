#include "export/trace_json/event_writer.h"

#include <optional>

#include "export/rows/cell_text.h"
#include "export/trace_json/text.h"

namespace tracebraid {
namespace {

constexpr size_t kWriteBytes = size_t{1} << 20;

}  // namespace

EventWriter::EventWriter(NewFile& file, Progress& progress, const Selection& selection)
    : file_(file), progress_(progress), selection_(selection) {
  text_.reserve(kWriteBytes + kWriteBytes / 8);
}

void EventWriter::begin(std::string_view phase, int64_t pid, int64_t tid) {
  text_ += is_first_ ? "\n{" : ",\n{";
  is_first_ = false;
  text_ += "\"ph\":\"";
  text_ += phase;
  text_ += "\",\"pid\":";
  append_integer(text_, pid);
  text_ += ",\"tid\":";
  append_integer(text_, tid);
  ++rows_;
}

void EventWriter::add_name(std::string_view name) {
  text_ += !text_.empty() && text_.back() == '{' ? "\"" : ",\"";
  text_ += name;
  text_ += "\":";
}

void EventWriter::add_text(std::string_view name, std::string_view value) {
  add_name(name);
  append_json_string(text_, value);
}

void EventWriter::add_integer(std::string_view name, int64_t value) {
  add_name(name);
  append_integer(text_, value);
}

void EventWriter::add_micros(std::string_view name, int64_t ns) {
  add_name(name);
  append_micros(text_, ns);
}

void EventWriter::open_object(std::string_view name) {
  add_name(name);
  text_ += '{';
}

bool EventWriter::move(int64_t& ts) {
  if (selection_.timeline == nullptr) return true;
  const std::optional<int64_t> at = selection_.timeline->at(ts);
  if (!at) ++unplaced_;
  ts = at.value_or(ts);
  return at.has_value();
}

Result<> EventWriter::drain() {
  if (text_.size() < kWriteBytes) return {};
  if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  return flush();
}

Result<> EventWriter::flush() {
  TB_TRY(file_.write(text_));
  bytes_ += text_.size();
  text_.clear();
  return {};
}

}  // namespace tracebraid
