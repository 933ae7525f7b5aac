#include "report/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "clock/clock_key.h"
#include "report/labels.h"
#include "report/units.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

bool is_called(std::string_view path, std::string_view file) {
  if (path == file) return true;
  return path.ends_with(file) && path[path.size() - file.size() - 1] == '/';
}

std::string label_of(const Store& store, uint32_t clock) {
  return std::string(text_of(store, store.clocks.label[clock]));
}

std::string within(OptInt uncertainty) {
  const std::optional<int64_t> ns = value_of(uncertainty);
  if (!ns) return "the error is unknown";
  return *ns == 0 ? "this is exact" : fmt::format("this is accurate to +-{}", span_text(*ns));
}

// Returns the first matches of the set that relates two clocks, a line each.
std::string examples(const Store& store, uint32_t a, uint32_t b, std::string_view source) {
  constexpr size_t kShown = 3;
  const ClockMatchSetTable& sets = store.clock_match_sets;
  const ClockMatchTable& matches = store.clock_matches;
  std::string text;
  for (uint32_t set = 0; set < sets.rows(); ++set) {
    const uint32_t set_a = sets.clock_a[set].row, set_b = sets.clock_b[set].row;
    const bool is_it = text_of(store, sets.verdict[set]) == "used" &&
                       text_of(store, sets.kind[set]) == source &&
                       ((set_a == a && set_b == b) || (set_a == b && set_b == a));
    if (!is_it) continue;
    size_t shown = 0;
    for (size_t row = 0; row < matches.rows() && shown < kShown; ++row) {
      if (matches.set_id[row] != set || matches.used[row] == 0) continue;
      ++shown;
      text += fmt::format("\n       {}: {} shows {} ns, {} shows {} ns",
                          text_of(store, matches.key[row]), label_of(store, set_a),
                          matches.reading_a[row], label_of(store, set_b), matches.reading_b[row]);
    }
    return text + fmt::format("\n       {} of {} matches are used; the table clock_match has them.",
                              sets.used[set], sets.candidates[set]);
  }
  return text;
}

// Returns what kinds of calls say about the order of events; empty for other sources.
std::string_view causes_text(std::string_view source) {
  if (source == "rpc")
    return "Calls of each recording were answered in the other, and no server begins before its "
           "client or outlives it.";
  if (source == "packets")
    return "Each recording received packets of the other, and none arrives before it is sent.";
  if (source == "wakeups")
    return "One recorder of the kernel noted what woke threads, the other one when they ran, and "
           "none runs before it is woken.";
  if (source == "mpi")
    return "Each rank received messages of the other, in the order of each channel, or met it in "
           "collectives, and none arrives before it is sent.";
  return {};
}

std::string reason(const Store& store, uint32_t clock, uint32_t next) {
  const StringId kind = store.clocks.next_kind[clock];
  const std::string_view name = text_of(store, kind);
  const std::optional<size_t> edge = find_edge(store, clock, next, kind);
  const ClockEdgeTable& edges = store.clock_edges;
  const std::string times =
      edge ? counted(edges.observations[*edge], "time") : std::string("several times");
  const std::string good = within(edge ? edges.uncertainty_ns[*edge] : OptInt{});
  const std::string file = edge ? file_label(store, edges.trace_id[*edge]) : "-";
  if (name == "same_clock")
    return "The files are of one machine, and nothing indicates that this clock differs between "
           "them.";
  const std::string_view source = edge ? text_of(store, edges.source[*edge]) : std::string_view();
  if (source == "sync_marker")
    return fmt::format("Both files recorded the same sync markers, {}; {}.", times, good);
  if (source == "task_switches")
    return fmt::format("Both recordings have the same task switches; {}.", good);
  if (source == "collectives")
    return fmt::format(
               "Both ranks ran the same operations of a group, and are assumed to end them "
               "together; {}.",
               good) +
           examples(store, clock, next, source);
  if (source == "flows")
    return fmt::format(
               "Flows lead from each recording to the other, and none ends before it starts. The "
               "shortest ones of both directions are assumed to take equally long, which the bound "
               "does not depend on; {}.",
               good) +
           examples(store, clock, next, source);
  if (source == "markers")
    return fmt::format("Both files have events that the user wrote to mark the same moments; {}.",
                       good) +
           examples(store, clock, next, source);
  if (source == "spans")
    return fmt::format(
               "Spans of each recording have parents in the other, and none starts before its "
               "parent or outlives a client that waits for it. The shortest ways there and back "
               "are "
               "assumed to take equally long, which the bound does not depend on; {}.",
               good) +
           examples(store, clock, next, source);
  if (source == "same_events")
    return fmt::format("Two recorders noted the events of one program; {}.", good) +
           examples(store, clock, next, source);
  if (source == "logs")
    return fmt::format("Both recordings have the same texts at the same moments; {}.", good) +
           examples(store, clock, next, source);
  if (const std::string_view causes = causes_text(source); !causes.empty())
    return fmt::format(
               "{} The shortest delays of both directions are assumed to be equal, which the bound "
               "does not depend on; {}.",
               causes, good) +
           examples(store, clock, next, source);
  if (source == "barriers")
    return fmt::format(
               "Both ranks passed the same barriers, and are assumed to leave them together; {}.",
               good) +
           examples(store, clock, next, source);
  if (source == "start_time")
    return fmt::format("{} gives its start in wall-clock time; {}.", file, good);
  const auto is_wall_clock = [&](uint32_t at) {
    return store.clocks.domain[at] == int64_t{domain::kRealtime};
  };
  if (source == "date" && !is_wall_clock(clock) && !is_wall_clock(next))
    return fmt::format(
        "The date in {} agrees with both clocks counting from the same moment, so this is "
        "assumed; {}.",
        file, good);
  if (source == "date")
    return fmt::format("{} gives the date of the recording, to the second; {}.", file, good);
  if (name == "measured")
    return fmt::format("{} read both clocks at the same moment, {}; {}.", file, times, good);
  if (name == "relayed")
    return fmt::format("The machines exchanged timed messages (recorded in {}); {}.", file, good);
  if (name == "manifest")
    return "The manifest states the offset between the two, which is taken as exact.";
  if (name == "rendezvous")
    return fmt::format(
        "Nothing measured the two against each other, but both follow wall-clock time; {}.", good);
  if (name == "guessed")
    return "Nothing relates the two. They are assumed to be zero apart, which is a guess: a "
           "manifest can state the offset.";
  return fmt::format("{}; {}.", name, good);
}

// Appends one paragraph per hop from the clock to the timeline.
std::string way_of(const Store& store, uint32_t clock) {
  std::string text;
  std::vector<bool> seen(store.clocks.rows());
  for (int step = 1; !seen[clock]; ++step) {
    seen[clock] = true;
    const uint32_t next = store.clocks.next_clock[clock].row;
    if (next >= store.clocks.rows()) break;
    text += fmt::format("    {}. {} -> {}\n       {}\n", step, label_of(store, clock),
                        label_of(store, next), reason(store, clock, next));
    clock = next;
  }
  return text;
}

std::string offset_sentence(const Store& store, size_t row) {
  const PlacementTable& table = store.placements;
  const std::optional<int64_t> start = value_of(table.offset_start_ns[row]);
  const std::optional<int64_t> end = value_of(table.offset_end_ns[row]);
  if (!start) return {};
  std::string text = *start == 0 ? "    Trace time is what the clock shows"
                                 : fmt::format("    Trace time is {} from what the clock shows",
                                               offset_text(*start));
  if (end && *end != *start)
    text += fmt::format(" at the first event, {} at the last", offset_text(*end));
  return text + ".\n";
}

std::string fate_sentences(const Store& store, size_t row) {
  const PlacementTable& table = store.placements;
  std::string text;
  if (const auto ns = value_of(table.uncertainty_ns[row]); ns && *ns > 0)
    text += fmt::format("    In total its events may be off by {} in either direction.\n",
                        span_text(*ns));
  if (table.dropped_no_path[row] > 0)
    text += fmt::format("    {} lost: no path of clocks leads to the timeline.\n",
                        counted(table.dropped_no_path[row], "event"));
  if (table.by_order[row] > 0)
    text += fmt::format(
        "    {} placed by the order of the file: the clock was set back and may have shown that "
        "time "
        "twice.\n",
        counted(table.by_order[row], "event"));
  if (table.dropped_ambiguous[row] > 0)
    text += fmt::format("    {} lost: the clock was set back and may have shown that time twice.\n",
                        counted(table.dropped_ambiguous[row], "event"));
  if (table.dropped_range[row] > 0)
    text += fmt::format("    {} lost: the time does not fit 64 bits.\n",
                        counted(table.dropped_range[row], "event"));
  if (table.negative[row] > 0)
    text += fmt::format("    {} before the start of trace time, which other tools may drop.\n",
                        counted(table.negative[row], "event"));
  return text;
}

std::string story(const Store& store, size_t row) {
  const PlacementTable& table = store.placements;
  const std::string placed = counted(table.placed[row], "event");
  const std::string machine = machine_label(store, table.machine_id[row]);
  const uint32_t clock = table.clock_id[row].row;
  if (text_of(store, table.rule[row]) == "without_time")
    return fmt::format(
        "  {} on {} without a time: each takes the time of the event before it.\n"
        "",
        placed, machine);
  if (clock >= store.clocks.rows())
    return fmt::format(
               "  {} on {}: the file names no clock, so its times are trace time, unchanged.\n",
               placed, machine) +
           fate_sentences(store, row);
  std::string text = fmt::format("  {} on {}, in {}", placed, machine, label_of(store, clock));
  const std::string_view rule = text_of(store, table.rule[row]);
  if (rule == "is_timeline")
    text += ", which is the timeline itself.\n";
  else if (rule == "unplaced")
    text += ". Nothing relates that clock to the timeline.\n";
  else
    text += ".\n" + way_of(store, clock) + offset_sentence(store, row);
  return text + fate_sentences(store, row);
}

}  // namespace

Result<std::optional<std::string>> explain_file(const Store& store, std::string_view file) {
  std::vector<std::string> paths;  // that match; a compressed file and its content have one path
  for (uint32_t f = 0; f < store.files.rows(); ++f) {
    std::string path = file_label(store, {f});
    if (is_called(path, file) && std::ranges::count(paths, path) == 0)
      paths.push_back(std::move(path));
  }
  if (paths.empty()) return std::nullopt;
  if (std::ranges::count(paths, file) != 0) paths = {std::string(file)};
  if (paths.size() > 1)
    return fail(ErrorCode::Usage,
                fmt::format("--explain: {} inputs are named '{}'; name one of them: {}",
                            paths.size(), file, fmt::join(paths, ", ")));
  std::string text;
  for (uint32_t f = 0; f < store.files.rows(); ++f) {
    if (file_label(store, {f}) != paths.front()) continue;
    std::string stories;
    for (size_t row = 0; row < store.placements.rows(); ++row)
      if (store.placements.trace_id[row].row == f) stories += story(store, row);
    const std::string_view type = text_of(store, store.files.trace_type[f]);
    const bool is_read = value_of(store.files.processing_order[f]).has_value();
    if (stories.empty())
      stories = store.files.is_container[f] != 0 ? "  It holds other files; explain one of those.\n"
                : is_read                        ? "  It has no events with a time.\n"
                                                 : "  It was not read.\n";
    text += fmt::format("{}{} ({})\n{}", text.empty() ? "" : "\n", paths.front(), type, stories);
  }
  return text;
}

}  // namespace tracebraid
