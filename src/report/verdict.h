// The verdict on a merge, which check, merge and manifest validate share.
#pragma once

#include <string>
#include <vector>

#include "report/check_report.h"

namespace tracebraid {

struct Verdict {
  std::vector<std::string> misplaced;        // why not all traces line up, one phrase each
  std::vector<std::string> troubles;         // why --strict fails: these and other problems
  std::vector<std::string> void_statements;  // why `manifest validate` fails

  bool lines_up() const { return misplaced.empty(); }
  bool fails(bool strict) const { return strict && !troubles.empty(); }
};

// With `all`, unpaired events and repairs are troubles, too (--strict=all).
Verdict verdict(const CheckReport& report, bool all = false);

// Returns the last sentence of the report: "Validation: all traces line up on the shared timeline."
// or why they do not.
std::string verdict_text(const Verdict& verdict);

}  // namespace tracebraid
