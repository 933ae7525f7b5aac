#include "merge/manifest_effect.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tracebraid {
namespace {

std::pair<ClockId, ClockId> hop_of(ClockId a, ClockId b) {
  return {std::min(a, b), std::max(a, b)};
}

std::string name_of_clock(const ClockKey& key) {
  if (key.domain == domain::kPrivate) return "its own timeline";
  const std::string_view name = clock_name(key.domain);
  return name.empty() ? fmt::format("clock {}", key.domain) : std::string(name);
}

// The clocks that the batches name, and the relations on the paths of their events.
class Paths {
 public:
  Paths(const Located& located, std::span<const PlacedBatch> batches,
        std::span<const std::vector<PlaceCount>> counts)
      : located_(located), batches_(batches), counts_(counts) {
    for (size_t b = 0; b < batches.size(); ++b) {
      for (size_t c = 0; c < located.clocks[b].size(); ++c) {
        const ClockPlace& place = located.clocks[b][c];
        if (place.kind != ClockPlace::Kind::Node) continue;
        named_.insert(place.node);
        if (counts[b][c].placed > 0) add_path(place.node);
      }
    }
  }

  bool is_named(ClockId clock) const { return named_.contains(clock); }
  bool is_used(ClockId a, ClockId b) const { return stated_.contains(hop_of(a, b)); }

  // Whether the relation gives wall-clock time to the events of the other clock, which moves none.
  bool gives_wall_clock(ClockId a, ClockId b) const {
    for (const auto& [wall, other] : {std::pair(a, b), std::pair(b, a)}) {
      const Placement::Node& node = located_.placement.node(wall);
      if (located_.graph.key(wall).domain == domain::kRealtime && node.placed() &&
          node.next == other && node.hop == EvidenceKind::Manifest && is_named(other))
        return true;
    }
    return false;
  }

  // Returns the names of the clocks that the events of the file read.
  std::set<std::string> clocks_of(FileId file) const {
    std::set<std::string> names;
    for (size_t b = 0; b < batches_.size(); ++b) {
      if (batches_[b].file != file) continue;
      for (size_t c = 0; c < located_.clocks[b].size(); ++c) {
        const ClockPlace& place = located_.clocks[b][c];
        const PlaceCount& count = counts_[b][c];
        if (place.kind == ClockPlace::Kind::Node && count.placed + count.no_path > 0)
          names.insert(name_of_clock(located_.graph.key(place.node)));
      }
    }
    return names;
  }

 private:
  void add_path(ClockId clock) {
    for (ClockId at = clock; located_.placement.node(at).placed();) {
      const Placement::Node& node = located_.placement.node(at);
      if (!node.next) break;
      if (node.hop == EvidenceKind::Manifest) stated_.insert(hop_of(at, node.next));
      if (!seen_.insert(at).second) break;
      at = node.next;
    }
  }

  const Located& located_;
  std::span<const PlacedBatch> batches_;
  std::span<const std::vector<PlaceCount>> counts_;
  absl::flat_hash_set<ClockId> named_, seen_;
  absl::flat_hash_set<std::pair<ClockId, ClockId>> stated_;  // hops by the manifest
};

std::string clocks_text(const Paths& paths, FileId file) {
  const std::set<std::string> names = paths.clocks_of(file);
  if (names.empty()) return "the file has no events with a time";
  return fmt::format("the events of the file are on {}", fmt::join(names, ", "));
}

const FileEntry* entry_of(const Manifest& manifest, const std::string& path) {
  const auto at = std::ranges::find(manifest.files, path, &FileEntry::path);
  return at == manifest.files.end() ? nullptr : &*at;
}

// Returns why the relation places no event; empty if it does.
std::string why_void(const ManifestRelation& relation, const FileEntry& entry,
                     const FileEntry* reference, const Located& located, const Paths& paths) {
  if (!relation.source)
    return fmt::format("start: '{}' has no event that it could place", entry.path);
  const bool is_inside = relation.is_start || reference == &entry;
  if (is_inside && paths.gives_wall_clock(relation.source, relation.reference)) return {};
  if (!paths.is_named(relation.source) && !relation.is_start)
    return fmt::format("clocks: '{}' has no clock {}; {}", entry.path,
                       name_of_clock(located.graph.key(relation.source)),
                       clocks_text(paths, entry.target));
  if (!paths.is_named(relation.reference) && !relation.is_start && reference != nullptr &&
      reference->target)
    return fmt::format("clocks: sync_to: '{}' has no clock {}; {}", reference->path,
                       name_of_clock(located.graph.key(relation.reference)),
                       clocks_text(paths, reference->target));
  if (paths.is_used(relation.source, relation.reference)) return {};
  const bool is_placed = located.placement.node(relation.source).placed();
  return fmt::format(
      "{}: the entry of '{}' has no effect on any event, because {}; {}",
      relation.is_start ? "start" : "clocks", entry.path,
      is_placed ? "better evidence relates these clocks" : "neither clock leads to the timeline",
      clocks_text(paths, entry.target));
}

}  // namespace

std::vector<Problem> void_statements(const Manifest& manifest, const Located& located,
                                     std::span<const PlacedBatch> batches,
                                     std::span<const std::vector<PlaceCount>> counts,
                                     std::span<const std::string> paths) {
  std::vector<Problem> found;
  if (located.relations.empty()) return found;
  const Paths used(located, batches, counts);
  for (const ManifestRelation& relation : located.relations) {
    const FileEntry& entry = manifest.files[relation.entry];
    if (!entry.target) continue;  // there is a warning of the missing file
    const FileEntry* reference =
        entry.clocks ? entry_of(manifest, entry.clocks->sync_to.file) : nullptr;
    const std::string why = why_void(relation, entry, reference, located, used);
    if (!why.empty())
      found.push_back({.path = paths[relation.entry],
                       .error = {ErrorCode::BadManifest, "perfetto_manifest: " + why},
                       .is_void_statement = true});
  }
  return found;
}

}  // namespace tracebraid
