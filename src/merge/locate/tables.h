// Rows of our tables that tell how clocks were located.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "merge/locate/evidence.h"
#include "merge/locate/located.h"

namespace tracebraid {

// "BOOTTIME of phone", "BOOTTIME of phone in b.pb", "own timeline of x.json".
std::vector<std::string> label_clocks(const ClockGraph& graph, std::span<const FileToLocate> files,
                                      const Store& store);

// Spec clocks 3.5: each snapshot at the time that the timeline's clock shows in
// it, or else that its clocks lead to.
void fill_clock_snapshots(const Located& located, const EvidenceReport& report, Store& store);
void fill_clocks(const Located& located, Store& store);
void fill_clock_edges(const Located& located, Store& store);

// Fills the table clock_contradiction, and warns.
void report_contradictions(Located& located, Store& store);

}  // namespace tracebraid
