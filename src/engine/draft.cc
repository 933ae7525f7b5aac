#include "engine/draft.h"

#include <fmt/format.h>

#include "base/boundary.h"
#include "engine/draft_state.h"
#include "engine/manifest_path.h"
#include "engine/merge_options.h"
#include "report/labels.h"

namespace tracebraid {

Result<std::shared_ptr<const Draft>> Draft::open(std::shared_ptr<const Engine> engine,
                                                 std::span<const TraceInput> inputs,
                                                 const TraceOptions& options, Progress& progress) {
  return at_boundary([&]() -> Result<std::shared_ptr<const Draft>> {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY_ASSIGN(const MergeOptions merge, merge_options(*engine, options));
    note_inputs(inputs, options, merge.files);
    TB_TRY_ASSIGN(const std::vector<TraceInput> gathered, gather_streams(inputs, merge, progress));
    for (const TraceInput& input : gathered)
      if (is_braid_input(input))
        return fail(ErrorCode::Usage,
                    fmt::format("{}: the events of a braid are placed already; give the traces "
                                "that it was made of",
                                input.name));
    auto state = std::make_unique<DraftState>(std::move(engine));
    TB_TRY_ASSIGN(state->files, StagedFiles::read(gathered, merge, state->workers, progress));
    state->inputs = gathered;
    state->options = merge;
    return std::shared_ptr<const Draft>(new Draft(std::move(state)));
  });
}

Draft::Draft(std::unique_ptr<DraftState> state) : state_(std::move(state)) {}
Draft::~Draft() = default;

Result<std::shared_ptr<const DraftPlaces>> Draft::place(std::optional<std::string_view> manifest,
                                                        const std::string& path,
                                                        std::span<const uint32_t> without) const {
  return at_boundary(state_->broken, [&]() -> Result<std::shared_ptr<const DraftPlaces>> {
    const std::scoped_lock lock(state_->placing);
    std::vector<ClockPair> excluded;
    TB_TRY_ASSIGN(std::vector<DraftEdge> edges,
                  state_->find_edges(manifest, path, without, excluded));
    TB_TRY_ASSIGN(PlacedFiles placed,
                  state_->files->place(manifest, path, state_->workers, excluded));
    if (placed.needs_order) {
      Progress progress;
      TB_TRY_ASSIGN(Merged merged, state_->merge_whole(manifest, path, excluded, progress));
      merged.clocks = std::move(placed.merged.clocks);  // to which the places refer
      placed.merged = std::move(merged);
    }
    auto kept = std::make_shared<const PlacedFiles>(std::move(placed));
    if (without.empty()) {
      state_->last_whole = kept;
      state_->last_manifest = manifest;
    }
    return std::shared_ptr<const DraftPlaces>(
        new DraftPlaces(shared_from_this(), std::move(kept),
                        {std::optional<std::string>(manifest), path}, std::move(edges)));
  });
}

uint64_t Draft::events() const { return state_->files->events(); }
size_t Draft::memory() const { return state_->files->memory(); }

DraftPlaces::DraftPlaces(std::shared_ptr<const Draft> draft,
                         std::shared_ptr<const PlacedFiles> placed, ManifestText manifest,
                         std::vector<DraftEdge> without)
    : draft_(std::move(draft)),
      placed_(std::move(placed)),
      manifest_(std::move(manifest)),
      without_(std::move(without)) {}
DraftPlaces::~DraftPlaces() = default;

Result<CheckReport> DraftPlaces::report() const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<CheckReport> {
    const Merged& merged = placed_->merged;
    return check_report(*merged.store, draft_->state_->options.drop_negative, merged.problems,
                        merged.not_imported);
  });
}

bool DraftPlaces::is_whole() const { return placed_->needs_order; }

Result<CheckReport> DraftPlaces::whole_report(Progress& progress) const {
  if (is_whole()) return report();
  DraftState& state = *draft_->state_;
  return at_boundary(state.broken, [&]() -> Result<CheckReport> {
    std::vector<uint32_t> rows;
    for (const DraftEdge& edge : without_) rows.push_back(edge.row);
    std::vector<ClockPair> excluded;
    {
      const std::scoped_lock lock(state.placing);
      TB_TRY(state.find_edges(manifest_.text, manifest_.path, rows, excluded));
    }
    TB_TRY_ASSIGN(const Merged merged,
                  state.merge_whole(manifest_.text, manifest_.path, excluded, progress));
    return check_report(*merged.store, state.options.drop_negative, merged.problems,
                        merged.not_imported);
  });
}

Result<std::vector<DraftLane>> DraftPlaces::lanes(std::span<const uint32_t> files,
                                                  const LaneWindow& window) const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<std::vector<DraftLane>> {
    if (window.from >= window.to || window.buckets == 0)
      return fail(ErrorCode::Usage, "lanes: the window is empty");
    std::vector<DraftLane> lanes;
    for (const Lane& from : draft_->state_->files->lanes(*placed_, files, window.from, window.to,
                                                         window.buckets, draft_->state_->workers)) {
      DraftLane& lane = lanes.emplace_back();
      lane.file = from.file;
      const Store& store = *placed_->merged.store;
      lane.path = file_label(store, {from.file});
      lane.name = manifest_path(store, from.file);
      lane.events = from.events;
      lane.first_ts = from.first_ts;
      lane.last_ts = from.last_ts;
      for (const auto& [bucket, first_ts] : from.firsts)
        lane.buckets.push_back({bucket, from.counts[bucket], first_ts});
    }
    return lanes;
  });
}

}  // namespace tracebraid
