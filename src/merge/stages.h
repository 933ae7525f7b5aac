// Steps that merge() and the placing of staged files (merge/staged.h) have in common.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "event/flow_join.h"
#include "manifest/manifest.h"
#include "merge/files.h"
#include "merge/locate/located.h"
#include "merge/locate/options.h"
#include "merge/options.h"
#include "merge/place/place.h"
#include "merge/problem.h"
#include "merge/report.h"

namespace tracebraid {

// Returns all files: those that were read, in the order of `order`, then the others.
std::vector<FileToLocate> files_to_locate(std::span<const uint32_t> order,
                                          const std::vector<TraceFile>& files,
                                          bool has_outer_manifest);

std::vector<NotImportedOfFile> not_imported(std::span<const PlacedBatch> batches);

JoinFlows join_flows(const MergeOptions& options, const Manifest& manifest);
// Returns the options of the caller; the manifest gives those that the caller does not set.
LocateOptions locate_options(const MergeOptions& options, const Manifest& manifest);

// Returns an Error if `strict` and the manifest states a relation that places no event. Otherwise
// appends such relations to `problems`.
Result<> check_manifest_effect(const Manifest& manifest, const MergeOptions& options,
                               std::span<const TraceFile> files, const Located& located,
                               std::span<const PlacedBatch> batches,
                               std::span<const std::vector<PlaceCount>> counts,
                               std::vector<Problem>& problems);

// Inserts the logs of readers, which come between those of placing and of assembling, at `at`.
void insert_report(PlacementReport from, size_t at, PlacementReport& to);

// Returns the first loss that strict options refuse; otherwise appends all to `problems`.
Result<> gather_stage_losses(const PlacementReport& report, const MergeOptions& options,
                             std::span<const TraceFile> files, std::vector<Problem>& problems);

}  // namespace tracebraid
