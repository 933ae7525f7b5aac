#include "merge/reference/manifest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/clock_domain.h"
#include "clock/reference/wrap.h"
#include "merge/locate/machines.h"

namespace tracebraid::reference {
namespace {

constexpr uint64_t kFirstNamedMachine = uint64_t{1} << 32;  // raw id; spec clocks 4

class Applier {
 public:
  Applier(const Manifest& manifest, const std::vector<TraceFile>& files, Shared& shared)
      : manifest_(manifest), files_(files), shared_(shared) {}

  Result<AppliedManifest> apply(uint32_t row) {
    TB_TRY(check_references(manifest_, ManifestIndex(manifest_)));
    // The first entry of a path applies.
    for (const FileEntry& entry : manifest_.files) {
      if (entry.is_glob) ignore("patterns");  // which others take for names
      const auto [at, is_first] = applied_.rules.try_emplace(entry.path);
      if (is_first) name_machines(entry, at->second);
    }
    if (manifest_.trace_time) {
      const TraceTimeChoice& chosen = *manifest_.trace_time;
      const uint32_t machine = chosen.file ? row_of(*chosen.file, chosen.machine) : first_row();
      shared_.graph.trace_time = {chosen.clock, 0, 0, machine};
      shared_.owner = row;
      shared_.has_trace_time = true;
    }
    for (const FileEntry& entry : manifest_.files)
      if (entry.clocks) TB_TRY(relate(entry, *entry.clocks, row));
    note_additions();
    return std::move(applied_);
  }

 private:
  void ignore(const char* what) {
    if (std::ranges::find(applied_.ignored, what) == applied_.ignored.end())
      applied_.ignored.emplace_back(what);
  }

  uint64_t named(const std::string& name) {
    const auto [at, is_new] = by_name_.try_emplace(name, kFirstNamedMachine + by_name_.size());
    if (is_new) shared_.machines.list[shared_.machines.row(at->second)].name = name;
    return at->second;
  }

  void name_machines(const FileEntry& entry, FileRules& rules) {
    rules.is_of_one_machine = entry.machine.has_value();
    rules.is_pinned = entry.clocks && entry.clocks->pins_file();
    if (entry.machine) rules.base = named(*entry.machine);
    for (const MachineName& machine : entry.machines) {
      const uint64_t raw_id = named(machine.name);
      rules.remap[machine.id] = raw_id;
      if (machine.id == 0) rules.base = raw_id;
    }
  }

  uint32_t first_row() {
    if (shared_.machines.list.empty()) shared_.machines.row(0);
    return 0;
  }

  uint32_t row_of(const std::string& path, const std::optional<std::string>& machine) {
    if (machine) return shared_.machines.row(by_name_.at(*machine));
    const auto rules = applied_.rules.find(path);
    return shared_.machines.row(rules == applied_.rules.end() ? 0 : rules->second.base.value_or(0));
  }

  // Returns the clock of a machine, or the private clock of the file if `clock` is 0.
  Result<Node> node_of(const std::string& path, const std::optional<std::string>& machine,
                       uint32_t clock) {
    const uint32_t row = row_of(path, machine);
    if (clock != 0) return Node{clock, 0, 0, row};
    for (uint32_t file = 0; file < files_.size(); ++file)
      if (files_[file].name == path) return Node{domain::kPrivate, 0, file, row};
    return fail(ErrorCode::BadManifest,
                "perfetto_manifest: clocks: could not resolve file '" + path +
                    "'. It must match the `path` of an entry in the `files` array.");
  }

  // The file's clock reads T when the other reads T + offset.
  Result<> relate(const FileEntry& entry, const ClockOverride& clocks, uint32_t row) {
    TB_TRY_ASSIGN(const Node source, node_of(entry.path, clocks.machine, clocks.clock));
    TB_TRY_ASSIGN(const Node reference,
                  node_of(clocks.sync_to.file, clocks.sync_to.machine, clocks.sync_to.clock));
    const int64_t offset = clocks.offset_ns;
    const bool is_added =
        shared_.graph.add({{source, offset < 0 ? wrapped_difference(0, offset) : 0},
                           {reference, std::max<int64_t>(offset, 0)}},
                          {row, 0});
    if (is_added) return {};
    const Refusal& refusal = shared_.graph.refusals.back();
    return fail(ErrorCode::BadManifest, "perfetto_manifest: the relation of '" + entry.path +
                                            "' to '" + clocks.sync_to.file +
                                            "' is invalid: a clock " + refusal.why);
  }

  void note_additions() {
    for (const FileEntry& entry : manifest_.files) {
      if (entry.start_utc_ns) ignore("start times");
      if (!entry.clocks) continue;
      if (entry.clocks->drift_ppm != 0) ignore("drift");
      if (!entry.clocks->points.empty()) ignore("points");
    }
    for (const MachineEntry& machine : manifest_.machines)
      if (machine.wall_clock_skew_ns != 0) ignore("wall-clock skews");
  }

  const Manifest& manifest_;
  const std::vector<TraceFile>& files_;
  Shared& shared_;
  std::map<std::string, uint64_t> by_name_;  // raw ids
  AppliedManifest applied_;
};

}  // namespace

Result<AppliedManifest> apply_manifest(const Manifest& manifest, uint32_t row,
                                       const std::vector<TraceFile>& files, Shared& shared) {
  return Applier(manifest, files, shared).apply(row);
}

}  // namespace tracebraid::reference
