// What the files of a draft contain that relates clocks.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/boundary.h"
#include "clock/clock_key.h"
#include "engine/draft.h"
#include "engine/draft_state.h"
#include "report/labels.h"

namespace tracebraid {
namespace {

std::string_view name_of(StatedTime::Moment moment) {
  switch (moment) {
    case StatedTime::Moment::FirstEvent:
      return "first_event";
    case StatedTime::Moment::LastEvent:
      return "last_event";
    case StatedTime::Moment::Reading:
      break;
  }
  return "reading";
}

}  // namespace

Result<std::vector<DraftFile>> DraftPlaces::files() const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<std::vector<DraftFile>> {
    std::map<uint32_t, DraftFile> by_row;
    for (const FileEvidence& evidence : draft_->state_->files->evidence()) {
      DraftFile& file = by_row[evidence.file];
      for (const auto& [domain, snapshots] : evidence.snapshots) {
        const std::string_view name = clock_name(domain);
        file.clocks.push_back(
            {name.empty() ? std::to_string(domain) : std::string(name), snapshots});
      }
      file.sequences = evidence.sequences;
      file.sync_markers = evidence.sync_markers;
    }
    for (const StatedTime& time : draft_->state_->files->stated_times())
      by_row[time.file].dates.push_back({name_of(time.moment), time.utc_ns});
    std::vector<DraftFile> files;
    for (auto& [row, file] : by_row) {
      file.file = row;
      file.path = file_label(*placed_->merged.store, {row});
      files.push_back(std::move(file));
    }
    return files;
  });
}

}  // namespace tracebraid
