#include "merge/reference/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/clock_domain.h"

namespace tracebraid::reference {

std::string clock_name(uint32_t clock) {
  constexpr std::array<std::string_view, 7> kNames{
      "",        "REALTIME", "REALTIME_COARSE", "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW",
      "BOOTTIME"};
  if (clock == 0) return "none";
  if (clock < kNames.size()) return std::string(kNames[clock]);
  if (clock == domain::kTsc) return "TSC";
  if (clock == domain::kPerf) return "PERF";
  if (clock == domain::kPrivate) return "private";
  return fmt::format("{}", clock);
}

std::string Reasons::machine_name(uint32_t row) const {
  const Machines::Machine& machine = shared_.machines.list[row];
  if (!machine.name.empty()) return machine.name;
  return machine.raw_id == 0 ? "host" : fmt::format("machine {}", machine.raw_id);
}

std::string Reasons::name_of(const Node& node) const {
  std::string name = "clock " + clock_name(node.clock);
  if (node.sequence != 0) name += fmt::format(" of sequence {}", node.sequence);
  return fmt::format("{} of {}", name, machine_name(node.machine));
}

std::string Reasons::why_refused(const Node& node) const {
  const auto refusal = std::ranges::find_if(
      shared_.graph.refusals, [&](const Refusal& r) { return !r.is_void && r.node == node; });
  if (refusal == shared_.graph.refusals.end())
    return fmt::format("{} goes back, and a clock that goes back relates nothing", name_of(node));
  return fmt::format(
      "{} {} at byte {} of {}, and a clock that goes back relates nothing from there on",
      name_of(node), refusal->why, refusal->place.at, files_[refusal->place.file].path);
}

std::string Reasons::why_no_path(const Node& source) const {
  const Node target = shared_.graph.trace_time;
  const Explanation found = shared_.graph.explain(source, target);
  switch (found.reason) {
    case Reason::NotInSnapshots:
      return fmt::format("no clock snapshot has {}", name_of(source));
    case Reason::Unrelated:
      if (const auto& takeover = shared_.takeover;
          takeover && takeover->from.machine == source.machine)
        return fmt::format(
            "the clock snapshot at byte {} of {} makes {} the timeline, although times of {} "
            "were placed before, and nothing that strict readers accept relates the two",
            takeover->place.at, files_[takeover->place.file].path, name_of(takeover->to),
            machine_name(source.machine));
      return fmt::format(
          "nothing in the file relates {} to the timeline, {}{}", name_of(source), name_of(target),
          shared_.graph.void_snapshots == 0 ? "" : ", except snapshots that strict readers ignore");
    case Reason::TooFar:
      return fmt::format("{} is more than 4 snapshots away from the timeline, {}", name_of(source),
                         name_of(target));
    case Reason::Refused:
      return why_refused(found.refused);
    case Reason::TooComplex:
      break;
  }
  return "the file has more kinds of clock snapshots than this check follows";
}

std::string Reasons::why(LossCause cause, const LostEvents& lost) const {
  switch (cause) {
    case LossCause::BeforeZero:
      return "their times are before 0 on the timeline";
    case LossCause::NoState:
      return "packets before them are missing in their sequence, and they depend on these";
    case LossCause::UnknownTarget:
      return fmt::format("no clock snapshot has the timeline, {}",
                         name_of(shared_.graph.trace_time));
    default:
      return why_no_path(lost.source);
  }
}

}  // namespace tracebraid::reference
