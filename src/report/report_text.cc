// The placement report as text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "export/rows/cell_text.h"
#include "report/check_report.h"
#include "report/plain_table.h"
#include "report/text.h"
#include "report/units.h"
#include "report/verdict.h"

namespace tracebraid {
namespace {

// Escapes names of inputs, which may contain any bytes.
std::string shown(std::string_view text) {
  std::string result;
  append_shown(result, text);
  return result;
}

// Returns the common folder of all files of the report, with its '/', which the report omits.
size_t common_folder(const CheckReport& report) {
  if (report.clocks.empty()) return 0;
  std::string_view common = report.clocks[0].file;
  for (const PlacedClock& clock : report.clocks) {
    const auto [end, other] = std::ranges::mismatch(common, clock.file);
    common = common.substr(0, static_cast<size_t>(end - common.begin()));
  }
  const size_t slash = common.rfind('/');
  return slash == common.npos ? 0 : slash + 1;
}

// Returns the path of a file without the first `folder` bytes, if it is longer.
std::string below(std::string_view path, size_t folder) {
  return shown(path.size() > folder ? path.substr(folder) : path);
}

// Clocks of sequences with the same number and placement, as one row of the table.
struct ClockGroup {
  PlacedClock clock;  // sums, and the range of offsets of several clocks
  int64_t clocks = 1;
  const OtherLosses* others = nullptr;  // if this is the only row of the file and machine

  std::string label() const {
    if (clocks > 1) return fmt::format("{} of {}", clock.clock, counted(clocks, "sequence"));
    return clock.sequence ? fmt::format("{} of sequence {}", clock.clock, *clock.sequence)
                          : clock.clock;
  }
};

void add_to_group(const PlacedClock& clock, ClockGroup& group) {
  PlacedClock& all = group.clock;
  ++group.clocks;
  for (const auto& offset : {clock.offset_start_ns, clock.offset_end_ns}) {
    if (!offset) continue;
    all.offset_start_ns = std::min(all.offset_start_ns.value_or(*offset), *offset);
    all.offset_end_ns = std::max(all.offset_end_ns.value_or(*offset), *offset);
  }
  all.observations = std::min(all.observations, clock.observations);
  if (!clock.uncertainty_ns || (all.uncertainty_ns && *clock.uncertainty_ns > *all.uncertainty_ns))
    all.uncertainty_ns = clock.uncertainty_ns;
  all.placed += clock.placed;
  all.by_order += clock.by_order;
  all.no_path += clock.no_path;
  all.ambiguous += clock.ambiguous;
  all.out_of_range += clock.out_of_range;
  all.negative += clock.negative;
}

std::vector<ClockGroup> grouped(std::span<const PlacedClock> clocks) {
  std::vector<ClockGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, size_t> index;
  for (const PlacedClock& clock : clocks) {
    if (!clock.sequence) {
      groups.push_back({clock});
      continue;
    }
    const auto [at, added] =
        index.try_emplace({clock.file, clock.machine, clock.clock, clock.rule}, groups.size());
    if (added)
      groups.push_back({clock});
    else
      add_to_group(clock, groups[at->second]);
  }
  return groups;
}

// Returns the rows of the table: those of clocks, and one for other losses of each file and machine
// with no row or several.
std::vector<ClockGroup> rows_of(const CheckReport& report) {
  std::vector<ClockGroup> rows = grouped(report.clocks);
  for (const OtherLosses& losses : report.other_losses) {
    const auto is_of = [&](const ClockGroup& row) {
      return row.clock.file == losses.file && row.clock.machine == losses.machine;
    };
    const auto first = std::ranges::find_if(rows, is_of);
    if (std::ranges::count_if(rows, is_of) == 1) {
      first->others = &losses;
      continue;
    }
    const auto after = std::find_if(rows.rbegin(), rows.rend(), is_of).base();
    const auto at = first == rows.end() ? rows.end() : after;
    rows.insert(at, {.clock = {.file = losses.file, .machine = losses.machine, .rule = "other"},
                     .others = &losses});
  }
  return rows;
}

int64_t lost(const CheckReport& report, const ClockGroup& group) {
  const int64_t others = group.others == nullptr ? 0 : group.others->read + group.others->built;
  return lost(report, group.clock) + others;
}

// Returns what a source of content evidence is in words; empty for other sources.
std::string_view content_words(std::string_view source) {
  if (source == "collectives" || source == "markers" || source == "barriers") return source;
  if (source == "flows") return "flows both ways";
  if (source == "spans") return "spans within spans";
  if (source == "same_events") return "same events";
  if (source == "logs") return "log lines";
  if (source == "rpc") return "calls and replies";
  if (source == "packets") return "packets both ways";
  if (source == "wakeups") return "wakeups";
  if (source == "mpi") return "messages of MPI";
  return {};
}

std::string placed_by(const PlacedClock& clock) {
  const std::string seen =
      clock.observations > 0 ? fmt::format(" ({})", counted(clock.observations, "snapshot")) : "";
  if (clock.rule == "is_timeline") return "is the timeline";
  if (clock.rule == "same_clock") return "same clock as the timeline";
  if (clock.source == "sync_marker") return "sync markers in both files" + seen;
  if (clock.source == "task_switches") return "task switches in both recordings";
  if (const std::string_view content = content_words(clock.source); !content.empty())
    return fmt::format("{} ({} of {})", content, count_text(clock.matched.value_or(0)),
                       count_text(clock.candidates));
  if (clock.source == "start_time") return "start of the file in wall-clock time";
  if (clock.source == "date") return "date of the recording";
  if (clock.rule == "measured") return "clocks read together" + seen;
  if (clock.rule == "relayed") return "messages between the machines" + seen;
  if (clock.rule == "manifest") return "manifest";
  if (clock.rule == "rendezvous") return "wall-clock time of both machines" + seen;
  if (clock.rule == "guessed") return "guess: assumed to be zero apart";
  if (clock.rule == "unplaced") return "not placed: no path to the timeline";
  if (clock.rule == "raw") return "its own times, unchanged";
  if (clock.rule == "without_time") return "time of the event before";
  if (clock.rule == "other") return "lost before or after placing";
  return clock.rule;
}

std::string offset_of(const ClockGroup& group) {
  const PlacedClock& clock = group.clock;
  if (!clock.offset_start_ns) return "-";
  std::string text = offset_text(*clock.offset_start_ns);
  if (!clock.offset_end_ns || clock.offset_end_ns == clock.offset_start_ns) return text;
  if (group.clocks > 1) return fmt::format("{} to {}", text, offset_text(*clock.offset_end_ns));
  int64_t change = 0;
  if (__builtin_sub_overflow(*clock.offset_end_ns, *clock.offset_start_ns, &change)) return text;
  return fmt::format("{} ({} by the end)", text, offset_text(change));
}

std::string within_of(const PlacedClock& clock) {
  if (clock.rule == "unplaced") return "-";
  if (clock.rule == "manifest" && clock.uncertainty_ns == 0) return "stated";
  if (clock.rule == "raw" || clock.rule == "without_time" || clock.rule == "other") return "-";
  if (!clock.uncertainty_ns) return "unknown";
  return *clock.uncertainty_ns == 0 ? "exact" : "+-" + span_text(*clock.uncertainty_ns);
}

std::string causes_of(const CheckReport& report, const ClockGroup& group) {
  const PlacedClock& clock = group.clock;
  std::vector<std::string> causes;
  const auto add = [&](int64_t count, std::string_view cause) {
    if (count == 0) return;
    causes.push_back(count == lost(report, group) ? std::string(cause)
                                                  : fmt::format("{} {}", count_text(count), cause));
  };
  add(clock.no_path, "no path to the timeline");
  add(clock.ambiguous, "ambiguous because the clock was set back");
  add(clock.out_of_range, "out of range");
  if (report.negative_dropped)
    add(clock.negative, "before the start");
  else if (clock.negative > 0)
    causes.push_back(fmt::format("({} before the start, kept)", count_text(clock.negative)));
  if (clock.by_order > 0)
    causes.push_back(
        fmt::format("({} placed by the order of the file)", count_text(clock.by_order)));
  if (group.others != nullptr)
    for (const auto& [stat, count] : group.others->causes) add(count, stat);
  std::string text;
  for (const std::string& cause : causes) text += (text.empty() ? "" : ", ") + cause;
  return text;
}

std::string timeline_line(const CheckReport& report) {
  std::string clock = report.timeline_clock.empty() ? "none: times of the files are unchanged"
                                                    : report.timeline_clock;
  if (!report.timeline_machine.empty()) clock += " of " + shown(report.timeline_machine);
  const std::string start =
      report.start_utc_ns ? utc_text(*report.start_utc_ns) : "from " + span_text(report.start_ts);
  int64_t length = 0;
  if (__builtin_sub_overflow(report.end_ts, report.start_ts, &length)) length = 0;
  return fmt::format("timeline   {}      {} + {}\n", clock, start, span_text(length));
}

std::string clock_table(const CheckReport& report, size_t width) {
  const size_t folder = common_folder(report);
  const std::vector<std::string> names = {"FILE",   "MACHINE", "CLOCK", "PLACED BY", "OFFSET",
                                          "WITHIN", "EVENTS",  "LOST",  ""};
  std::vector<GridColumn> columns = grid_columns(names);
  for (const size_t right : {6U, 7U}) columns[right].align = Align::Right;
  std::vector<std::vector<std::string>> rows;
  for (const ClockGroup& group : rows_of(report)) {
    const bool is_only = group.clock.rule != "other";
    const int64_t built = is_only && group.others != nullptr ? group.others->built : 0;
    rows.push_back({below(group.clock.file, folder), shown(group.clock.machine),
                    is_only ? shown(group.label()) : "-", placed_by(group.clock), offset_of(group),
                    within_of(group.clock), is_only ? count_text(group.clock.placed - built) : "",
                    count_text(lost(report, group)), causes_of(report, group)});
  }
  return plain_table(std::move(columns), rows, width);
}

std::string totals_line(const CheckReport& report) {
  const int64_t halves = unpaired(report);
  const std::string of_which =
      halves == 0 ? "" : fmt::format(", of which {} unpaired", count_text(halves));
  return fmt::format("\n{} placed, {} lost{}\n", counted(kept(report), "event"),
                     count_text(lost(report)), of_which);
}

// Appends the path of each clock with more than one hop.
std::string paths_section(const CheckReport& report) {
  const size_t folder = common_folder(report);
  std::string text;
  for (const ClockGroup& group : grouped(report.clocks))
    if (std::ranges::count(group.clock.path, '>') > 1)
      text += fmt::format("  {} {}{}: {}\n", below(group.clock.file, folder), shown(group.label()),
                          group.clocks > 1 ? ", for example" : "", shown(group.clock.path));
  return text.empty() ? text : "\npaths to the timeline\n" + text;
}

// Appends the stats of a level: the count for each file with an example, then the description.
std::string level_section(std::string_view title, std::string_view level, const CheckReport& report,
                          size_t width) {
  constexpr size_t kIndent = 6;
  const size_t folder = common_folder(report);
  std::string text;
  for (size_t i = 0; i < report.losses.size(); ++i) {
    const Loss& loss = report.losses[i];
    const auto is_same = [&](const Loss& other) { return other.stat == loss.stat; };
    const std::span<const Loss> before(report.losses.data(), i);
    if (name_of(loss.level) != level || std::ranges::any_of(before, is_same)) continue;
    text += fmt::format("  {}\n", loss.stat);
    for (const Loss& other : std::span(report.losses).subspan(i)) {
      if (!is_same(other)) continue;
      text += fmt::format("    {} in {}", count_text(other.count), below(other.file, folder));
      if (!other.example.empty()) text += ", first " + shown(other.example);
      text += '\n';
    }
    text += fmt::format("      {}\n", wrap_prose(loss.description, width, kIndent));
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

std::string losses_section(const CheckReport& report, size_t width) {
  std::string text =
      level_section("lost", "lost", report, width) +
      level_section("unpaired: the other half is not in the file", "unpaired", report, width) +
      level_section("repaired or assumed", "repaired", report, width) +
      level_section("noted", "noted", report, width);
  if (report.figures > 0)
    text += fmt::format("\n{} of the recorder: see the table stats\n",
                        counted(report.figures, "figure"));
  return text;
}

// Returns what would relate the clocks after a refusal; empty if nothing would.
std::string_view advice(const MatchedPair& pair) {
  if (pair.reason == "too_few") return "; a longer recording has more matches";
  if (pair.reason == "one_sided") return "; effects in the other direction would bound both sides";
  if (pair.reason == "ambiguous" || pair.reason == "inconsistent" || pair.reason == "rate")
    return "; a sync marker, wall-clock times or an offset in a manifest would decide";
  return {};
}

std::string matched_line(const MatchedPair& pair) {
  std::string text = fmt::format("  {} of {} and {}: ", pair.kind, shown(pair.a), shown(pair.b));
  if (pair.verdict == "refused")
    return text + fmt::format("{} refused, {}{}{}{}\n", counted(pair.candidates, "candidate"),
                              pair.reason, pair.detail.empty() ? "" : ": ", shown(pair.detail),
                              advice(pair));
  text +=
      fmt::format("{} {} of {}", pair.verdict, count_text(pair.used), count_text(pair.candidates));
  if (pair.bound_ns) text += fmt::format(", +-{}", span_text(*pair.bound_ns));
  if (pair.rate_ppb)
    text += fmt::format(", rate {:+.3f} ppm", static_cast<double>(*pair.rate_ppb) / 1000);
  if (pair.least_ab_ns && pair.least_ba_ns)
    text += fmt::format(", shortest {} there, {} back", span_text(*pair.least_ab_ns),
                        span_text(*pair.least_ba_ns));
  if (!pair.reason.empty()) text += ", " + pair.reason;
  if (!pair.detail.empty()) text += ": " + shown(pair.detail);
  return text + '\n';
}

std::string matched_section(const CheckReport& report) {
  constexpr size_t kShown = 20;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, report.matched.size()); ++i)
    text += matched_line(report.matched[i]);
  if (report.matched.size() > kShown)
    text += fmt::format("  and {} more: see the table clock_match_set\n",
                        count_text(static_cast<int64_t>(report.matched.size() - kShown)));
  return text.empty() ? text : "\nmatched by content\n" + text;
}

// Returns whether all violations of these flows are within the bounds of their clocks.
bool are_explained(const CheckReport& report, const BrokenFlows& flows) {
  const auto explains = [&](const CausalPairs& pairs) {
    return pairs.kind == "flows" && pairs.from == flows.from && pairs.to == flows.to &&
           pairs.certain + pairs.unknown == 0;
  };
  return std::ranges::any_of(report.causality, explains);
}

std::string causality_total(const CheckReport& report) {
  int64_t pairs = 0, within = 0, certain = 0, unknown = 0;
  std::optional<int64_t> before;
  for (const CausalPairs& row : report.causality) {
    pairs += row.pairs;
    within += row.within;
    certain += row.certain;
    unknown += row.unknown;
    if (row.before_certain) before = before.value_or(0) + *row.before_certain;
  }
  if (pairs == 0) return {};
  std::string text = fmt::format("causality: {}, {} certain, {} within uncertainty",
                                 counted(pairs, "pair"), count_text(certain), count_text(within));
  if (unknown > 0) text += fmt::format(", {} of unknown bound", count_text(unknown));
  if (before) text += fmt::format(" (before: {})", count_text(*before));
  return text + '\n';
}

std::string causality_section(const CheckReport& report) {
  std::string text;
  for (const CausalPairs& pairs : report.causality)
    if (pairs.kind != "flows" && pairs.certain + pairs.unknown > 0)
      text += fmt::format("  {} of {} end in {} before they start in {}\n",
                          count_text(pairs.certain + pairs.unknown),
                          counted(pairs.pairs, "collective"), shown(pairs.to), shown(pairs.from));
  for (const BrokenFlows& flows : report.broken_flows) {
    if (are_explained(report, flows)) continue;
    text += fmt::format(
        "  {} of {} from {} to {} end before they start: the latter is at least {} too early",
        count_text(flows.violations), counted(flows.flows, "flow"), shown(flows.from),
        shown(flows.to), span_text(flows.off_by_at_least_ns));
    if (flows.off_by_at_most_ns && *flows.off_by_at_most_ns < flows.off_by_at_least_ns)
      text +=
          ", but the flows in the other direction allow less: the clocks drift, or ids are reused";
    else if (flows.off_by_at_most_ns)
      text += fmt::format(", and at most {} by the flows in the other direction",
                          span_text(*flows.off_by_at_most_ns));
    text += '\n';
  }
  if (!text.empty()) text = "\ncausality\n" + text;
  const std::string total = causality_total(report);
  return total.empty() ? text : text + '\n' + total;
}

std::string not_imported_section(const CheckReport& report, size_t width) {
  if (report.not_imported.empty()) return {};
  const size_t folder = common_folder(report);
  std::vector<std::vector<std::string>> rows;
  for (const NotImportedOfFile& row : report.not_imported)
    rows.push_back({"  " + count_text(static_cast<int64_t>(row.count)), shown(row.what),
                    bytes_text(row.bytes), below(report.file_names.at(row.file), folder)});
  std::vector<GridColumn> columns(rows[0].size());
  columns[0].align = Align::Right;
  return "\nnot imported\n" + plain_table(std::move(columns), rows, width);
}

}  // namespace

std::string report_text(const CheckReport& report, size_t width) {
  const std::string sections = totals_line(report) + paths_section(report) +
                               matched_section(report) + causality_section(report) +
                               losses_section(report, width);
  return fit_lines(timeline_line(report), width) + clock_table(report, width) +
         fit_lines(sections, width) + not_imported_section(report, width) +
         fit_lines(fmt::format("\n{}\n", verdict_text(verdict(report))), width);
}

}  // namespace tracebraid
