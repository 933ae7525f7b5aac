#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "export/rows/cell_text.h"
#include "report/units.h"

namespace tracebraid {
namespace {

// Joins the first phrases and counts the rest.
std::string first_phrases(const std::vector<std::string>& phrases) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, phrases.size()); ++i) {
    if (i > 0) text += "; ";
    append_shown(text, phrases[i]);
  }
  if (phrases.size() > kShown)
    text += fmt::format("; and {} more", count_text(static_cast<int64_t>(phrases.size() - kShown)));
  return text;
}

}  // namespace

Verdict verdict(const CheckReport& report, bool all) {
  Verdict verdict{.misplaced = misplacements(report), .troubles = troubles(report, all)};
  for (const Problem& problem : report.problems)
    if (problem.is_void_statement)
      verdict.void_statements.push_back(
          problem.path.empty() ? problem.error.message
                               : fmt::format("{}: {}", problem.path, problem.error.message));
  return verdict;
}

std::string verdict_text(const Verdict& verdict) {
  if (!verdict.lines_up())
    return fmt::format("Validation: not all traces line up on the shared timeline: {}.",
                       first_phrases(verdict.misplaced));
  std::string text = "Validation: all traces line up on the shared timeline.";
  if (!verdict.troubles.empty())
    text += fmt::format("\nOther problems, for which --strict fails: {}.",
                        first_phrases(verdict.troubles));
  return text;
}

}  // namespace tracebraid
