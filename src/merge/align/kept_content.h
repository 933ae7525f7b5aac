// KeptContent: the content of files whose events were released. Content depends on the files alone,
// except that manifests decide which clocks of a file are of one machine.
//
// Input: the batches, while they have events. Output: Content for any assignment of machines.
// Called by merge/staged and locate().
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "merge/align/content.h"

namespace tracebraid::align {

// Not thread-safe.
class KeptContent {
 public:
  // Reads the content. Requires: `batches` have events and are in the order of all later calls;
  // each machine id of a file has a tracker of its own.
  KeptContent(std::span<const FileToLocate> files, const Trackers& raw);

  // Returns what match_findings() returns for files with events, except MatchSet::matches, which
  // are empty. The result is valid until the next call, also if a call is for other options.
  const Content& find(const Trackers& trackers, const AlignOptions& options, JoinFlows join);

 private:
  // What a Content was made for: the recordings that are one, options, and what files may be
  // related by, if the manifest limits it.
  struct Key {
    std::vector<uint32_t> merged;
    JoinFlows join = JoinFlows::None;
    uint32_t kinds = 0;
    std::vector<uint32_t> kinds_of_trackers;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Made {
    Key key;
    Content content;
  };

  const FlowMoments& moments(JoinFlows join) const;

  Findings found_;                           // flows: of JoinFlows::All
  FlowMoments flows_of_global_ids_;          // of JoinFlows::Auto
  std::vector<std::unique_ptr<Made>> made_;  // the last few, the newest first
};

}  // namespace tracebraid::align
