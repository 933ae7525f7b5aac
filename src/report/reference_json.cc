#include "export/rows/json_text.h"
#include "report/reference_report.h"

namespace tracebraid {
namespace {

void add_counts(JsonText& json, std::string_view name, const reference::EventCounts& counts) {
  json.open_object(name);
  for (size_t kind = 0; kind < counts.size(); ++kind)
    if (counts[kind] != 0) json.add(reference::kEventNames[kind], counts[kind]);
  json.close_object();
}

void add_row(JsonText& json, const reference::Row& row) {
  json.open_object();
  json.add("file", row.file);
  json.add("machine", row.machine);
  json.add("file_row", uint64_t{row.file_row});
  json.add("machine_row", uint64_t{row.machine_row});
  json.add("clock", row.clock);
  json.add("clock_id", uint64_t{row.clock_id});
  add_counts(json, "events", row.all);
  json.add("first_ts", row.first_ns);
  json.add("last_ts", row.last_ns);
  json.add("lost", lost_of(row));
  json.open_array("losses");
  for (const reference::Loss& loss : row.losses) {
    json.open_object();
    json.add("stat", stat_of(loss.cause));
    add_counts(json, "events", loss.counts);
    json.add("first_byte", loss.first_at);
    json.add("why", loss.why);
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

}  // namespace

std::string reference_json(const reference::Report& report) {
  JsonText json;
  json.open_object();
  json.add("file", report.path);
  json.add("timeline", report.timeline);
  json.add("is_complete", is_complete(report));
  json.add("events", events_of(report));
  json.add("lost", lost_of(report));
  json.open_array("clocks");
  for (const reference::Row& row : report.rows) add_row(json, row);
  json.close_array();
  json.open_array("other_files");
  for (const reference::OtherFile& file : report.others) {
    json.open_object();
    json.add("file", file.path);
    json.add("file_row", uint64_t{file.row});
    json.add("format", file.format);
    json.add("is_lost", file.is_lost);
    json.add("why", file.why);
    json.close_object();
  }
  json.close_array();
  json.add("clocks_that_go_back", report.clocks_that_go_back);
  json.add("ignored_snapshots", report.void_snapshots);
  json.open_array("refused");
  for (const reference::RefusedClock& clock : report.refused) {
    json.open_object();
    json.add("file", clock.file);
    json.add("byte", clock.at);
    json.add("machine", clock.machine);
    json.add("file_row", uint64_t{clock.file_row});
    json.add("machine_row", uint64_t{clock.machine_row});
    json.add("clock", clock.clock);
    json.add("clock_id", uint64_t{clock.clock_id});
    json.add("sequence", uint64_t{clock.sequence});
    json.add("ignores_snapshot", clock.is_void);
    json.add("why", clock.why);
    json.close_object();
  }
  json.close_array();
  if (report.error) {
    json.open_object("error");
    json.add("file", report.error->file);
    json.add("file_row", uint64_t{report.error->row});
    json.add("byte", report.error->at);
    json.add("message", report.error->message);
    json.close_object();
  }
  json.add("unread_files", report.unread);
  json.add("notes", report.notes);
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid
