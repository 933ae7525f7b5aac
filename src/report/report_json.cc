// The placement report as JSON; all times in ns.
#include "export/rows/json_text.h"
#include "report/check_report.h"

namespace tracebraid {
namespace {

void add_clock(JsonText& json, const CheckReport& report, const PlacedClock& clock) {
  json.open_object();
  json.add("file", clock.file);
  json.add("machine", clock.machine);
  json.add("clock", clock.clock);
  json.add("sequence", clock.sequence);
  json.add("rule", clock.rule);
  json.add("source", clock.source);
  json.add("path", clock.path);
  json.add("observations", clock.observations);
  json.add("matched", clock.matched);
  json.add("assumes", clock.assumes);
  json.add("offset_start_ns", clock.offset_start_ns);
  json.add("offset_end_ns", clock.offset_end_ns);
  json.add("uncertainty_ns", clock.uncertainty_ns);
  json.add_raw("stated", is_stated(clock) ? "true" : "false");
  json.add("first_ts", clock.first_ts);
  json.add("last_ts", clock.last_ts);
  json.add("placed", clock.placed);
  json.add("by_order", clock.by_order);
  json.add("lost", lost(report, clock));
  json.add("lost_no_path", clock.no_path);
  json.add("lost_ambiguous", clock.ambiguous);
  json.add("lost_out_of_range", clock.out_of_range);
  json.add("before_start", clock.negative);
  json.close_object();
}

void add_loss(JsonText& json, const Loss& loss) {
  json.open_object();
  json.add("stat", loss.stat);
  json.add("severity", loss.severity);
  json.add("level", name_of(loss.level));
  json.add("file", loss.file);
  json.add("machine", loss.machine);
  json.add("count", loss.count);
  json.add("description", loss.description);
  json.add("example", loss.example);
  json.close_object();
}

void add_matched(JsonText& json, const MatchedPair& pair) {
  json.open_object();
  json.add("kind", pair.kind);
  json.add("a", pair.a);
  json.add("b", pair.b);
  json.add("verdict", pair.verdict);
  json.add("reason", pair.reason);
  json.add("detail", pair.detail);
  json.add("candidates", pair.candidates);
  json.add("used", pair.used);
  json.add("outliers", pair.outliers);
  json.add("bound_ns", pair.bound_ns);
  json.add("rate_ppb", pair.rate_ppb);
  json.add("least_ab_ns", pair.least_ab_ns);
  json.add("least_ba_ns", pair.least_ba_ns);
  json.close_object();
}

void add_causality(JsonText& json, const CausalPairs& pairs) {
  json.open_object();
  json.add("kind", pairs.kind);
  json.add("from", pairs.from);
  json.add("to", pairs.to);
  json.add("pairs", pairs.pairs);
  json.add("ok", pairs.ok);
  json.add("within", pairs.within);
  json.add("certain", pairs.certain);
  json.add("unknown", pairs.unknown);
  json.add("least_gap_ns", pairs.least_gap_ns);
  json.add("before_certain", pairs.before_certain);
  json.close_object();
}

}  // namespace

std::string report_json(const CheckReport& report) {
  JsonText json;
  json.open_object();
  json.open_object("timeline");
  json.add("clock", report.timeline_clock);
  json.add("machine", report.timeline_machine);
  json.add("start_ts", report.start_ts);
  json.add("end_ts", report.end_ts);
  json.add("start_utc_ns", report.start_utc_ns);
  json.close_object();
  json.open_array("placements");
  for (const PlacedClock& clock : report.clocks) add_clock(json, report, clock);
  json.close_array();
  json.add("kept", kept(report));
  json.add("lost", lost(report));
  json.add("unpaired", unpaired(report));
  json.open_array("other_losses");
  for (const OtherLosses& losses : report.other_losses) {
    json.open_object();
    json.add("file", losses.file);
    json.add("machine", losses.machine);
    json.add("read", losses.read);
    json.add("built", losses.built);
    json.add("unpaired", losses.unpaired);
    json.open_object("causes");
    for (const auto& [stat, count] : losses.causes) json.add(stat, count);
    json.close_object();
    json.close_object();
  }
  json.close_array();
  json.open_array("losses");
  for (const Loss& loss : report.losses) add_loss(json, loss);
  json.close_array();
  json.open_array("broken_flows");
  for (const BrokenFlows& flows : report.broken_flows) {
    json.open_object();
    json.add("from", flows.from);
    json.add("to", flows.to);
    json.add("flows", flows.flows);
    json.add("violations", flows.violations);
    json.add("off_by_at_least_ns", flows.off_by_at_least_ns);
    json.add("off_by_at_most_ns", flows.off_by_at_most_ns);
    json.close_object();
  }
  json.close_array();
  json.open_array("matched");
  for (const MatchedPair& pair : report.matched) add_matched(json, pair);
  json.close_array();
  json.open_array("causality");
  for (const CausalPairs& pairs : report.causality) add_causality(json, pairs);
  json.close_array();
  json.open_array("not_imported");
  for (const NotImportedOfFile& row : report.not_imported) {
    json.open_object();
    json.add("file", report.file_names.at(row.file));
    json.add("what", row.what);
    json.add("count", row.count);
    json.add("bytes", row.bytes);
    json.close_object();
  }
  json.close_array();
  json.open_array("problems");
  for (const Problem& problem : report.problems) {
    json.open_object();
    json.add("file", problem.path);
    json.add("level", name_of(problem.level));
    json.add("message", problem.error.message);
    json.close_object();
  }
  json.close_array();
  json.add("lines_up", misplacements(report).empty());
  json.add("trouble", troubles(report));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid
