// Fills the tables that describe how clocks were located.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "clock/contradictions.h"
#include "merge/locate/evidence.h"
#include "merge/locate/located.h"

namespace tracebraid {

// Returns the label of a clock: "BOOTTIME of phone", "BOOTTIME of phone in b.pb", "own timeline of
// x.json".
std::vector<std::string> label_clocks(const ClockGraph& graph, std::span<const FileToLocate> files,
                                      const Store& store);

// Fills clock_snapshot (spec clocks 3.5): each snapshot at the reading of the timeline's clock in
// it, or else at the time that its clocks convert to.
void fill_clock_snapshots(const Located& located, const EvidenceReport& report, Store& store);
void fill_clocks(const Located& located, Store& store);
void fill_clock_edges(const Located& located, Store& store);

// Appends a row of clock_contradiction.
void fill_contradiction(const Contradiction& found, const Located& located, Store& store);
// Fills clock_contradiction, and adds warnings.
void report_contradictions(Located& located, Store& store);

}  // namespace tracebraid
