#include "merge/locate/machines.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>

namespace tracebraid {
namespace {

constexpr uint64_t kFirstNamedMachine = uint64_t{1} << 32;  // raw id; spec clocks 4

Error broken(std::string_view text) {
  return {ErrorCode::BadManifest, fmt::format("perfetto_manifest: {}", text)};
}

// Checks rows 35 to 37. `where` is trace_time or clocks: sync_to.
Result<> check_reference(const ManifestIndex& index, const std::string& file,
                         const std::optional<std::string>& machine, std::string_view field) {
  const FileEntry* entry = index.entry(file);
  if (entry == nullptr)
    return tl::unexpected(
        broken(fmt::format("{}file names unknown file '{}'. It must match the `path` of an entry "
                           "in the `files` array.",
                           field, file)));
  if (!machine) {
    if (entry->machines.empty()) return {};
    return tl::unexpected(
        broken(fmt::format("{0}file '{1}' is a multi-machine trace; also name the machine with "
                           "{0}machine.",
                           field, file)));
  }
  if (index.declares(*entry, *machine)) return {};
  return tl::unexpected(broken(fmt::format("{}machine '{}' is not a machine declared by file '{}'.",
                                           field, *machine, file)));
}

Result<> check_clocks(const ManifestIndex& index, const FileEntry& entry) {
  const ClockOverride& clocks = *entry.clocks;
  if (clocks.machine) {
    if (!index.declares(entry, *clocks.machine))
      return tl::unexpected(
          broken(fmt::format("clocks: machine '{}' is not a machine declared by file '{}'.",
                             *clocks.machine, entry.path)));
  } else if (!entry.machines.empty()) {
    return tl::unexpected(
        broken(fmt::format("clocks: file '{}' is a multi-machine trace; name which machine the "
                           "clock is on with clocks: machine.",
                           entry.path)));
  }
  return check_reference(index, clocks.sync_to.file, clocks.sync_to.machine, "clocks: sync_to.");
}

// An index of the files, and of compressed files with one file inside.
class FileTree {
 public:
  explicit FileTree(std::span<const FileToLocate> files) : files_(files) {
    for (size_t i = 0; i < files.size(); ++i) by_row_.emplace(files[i].file, i);
    for (size_t i = 0; i < files.size(); ++i) {
      if (!files[i].parent) continue;
      const auto [at, added] = only_children_.try_emplace(files[i].parent, i);
      if (!added || files[i].name != "") at->second = std::nullopt;
    }
  }

  // Returns the only file within a compressed file: its name is empty (spec clocks 12.3). Returns
  // nothing if the compressed file contains an archive or no file.
  std::optional<size_t> leaf(FileId file) const {
    size_t at = by_row_.at(file);
    while (files_[at].is_container) {
      const auto child = only_children_.find(files_[at].file);
      if (child == only_children_.end() || !child->second) return std::nullopt;
      at = *child->second;
    }
    return at;
  }

 private:
  std::span<const FileToLocate> files_;
  absl::flat_hash_map<FileId, size_t> by_row_;
  absl::flat_hash_map<FileId, std::optional<size_t>> only_children_;  // none: several, or named
};

// Returns the file that an entry names, if there is one (spec clocks 10.4 row 42; 15.2 Q23).
Result<std::optional<size_t>> file_of(const FileTree& files, const FileEntry& entry) {
  if (!entry.target) return std::nullopt;
  const std::optional<size_t> leaf = files.leaf(entry.target);
  const bool overrides =
      entry.clocks || entry.machine || !entry.machines.empty() || entry.start_utc_ns;
  if (!leaf && overrides)
    return tl::unexpected(
        broken(fmt::format("overrides are not supported for trace files which are themselves "
                           "archives or perfetto_manifest files: {}",
                           entry.path)));
  return leaf;
}

// The machine ids inside one file.
struct EmbeddedIds {
  std::vector<uint64_t> ids;   // not 0, in order of appearance
  bool is_host_first = false;  // whether the recording machine was used before all of them
  bool is_host_used = false;   // whether the recording machine was used at all
  bool has_ping = false;       // whether a remote machine exchanged messages with the host
  bool has_snapshot = false;
};

EmbeddedIds embedded_ids(const FileToLocate& file) {
  EmbeddedIds found;
  absl::flat_hash_set<uint64_t> seen{0};
  for (const EventBatch* batch : file.chunks) {
    found.is_host_first |= found.ids.empty() && batch->host_used_first;
    found.is_host_used |=
        batch->host_used || std::ranges::any_of(batch->clocks, [&](const auto& c) {
          return batch->machines[c.machine] == 0;
        });
    for (const uint64_t id : batch->machines)
      if (seen.insert(id).second) found.ids.push_back(id);
    for (const Snapshot& snapshot : batch->snapshots) {
      found.has_snapshot |= snapshot.kind == SnapshotKind::Together;
      found.has_ping |=
          snapshot.kind == SnapshotKind::PingClient || snapshot.kind == SnapshotKind::PingHost;
    }
  }
  return found;
}

// Checks rows 43 to 46.
Result<> check_overrides(const FileMachines& file, const EmbeddedIds& embedded,
                         const ManifestIndex& index) {
  if (file.entry == nullptr) return {};
  const bool is_one_remote =
      embedded.ids.size() == 1 && !embedded.is_host_used && !embedded.has_ping;
  if (file.entry->machine && (!embedded.ids.empty() || embedded.has_ping) && !is_one_remote)
    return tl::unexpected(broken(
        "a `machine` override attributes the file to one machine, but the file contains packets "
        "from multiple machines. Replace `machine` with a `machines` block that maps each embedded "
        "machine_id to a named machine, e.g. \"machines\": [{\"id\": 0, \"name\": \"phone\"}, "
        "{\"id\": 7, \"name\": \"vm\"}]."));
  if (file.is_pinned() && !embedded.ids.empty())
    return tl::unexpected(broken(
        "a `clocks` override applies only to a single-machine file, but the file contains packets "
        "from multiple machines. Remove the `clocks` override and let the trace's own remote clock "
        "snapshots align the machines; if you need to anchor a specific embedded machine, split it "
        "into its own file and override that."));
  if (!file.entry->machines.empty()) {
    for (const uint64_t id : embedded.ids)
      if (index.name_of(*file.entry, id) == nullptr)
        return tl::unexpected(
            broken(fmt::format("machines: trace has a packet from undeclared machine id {}", id)));
  }
  if (file.is_pinned() && embedded.has_snapshot)
    return tl::unexpected(broken("clock overrides require the trace to use a single clock"));
  return {};
}

void name_machines(const Manifest& manifest, MachineRegistry& registry, Store& store) {
  uint64_t next = kFirstNamedMachine;
  const auto name = [&](const std::string& scope, const std::string& text) {
    const auto [at, added] = registry.by_name.try_emplace(scope + text);
    if (!added) return;
    at->second = machine_row(next++, registry, store);
    store.machines.name.at(at->second.row) = store.strings.intern(text);
  };
  for (const FileEntry& entry : manifest.files) {
    if (entry.machine) name(entry.scope, *entry.machine);
    for (const MachineName& machine : entry.machines) name(entry.scope, machine.name);
  }
}

Result<> match_entries(std::span<const FileToLocate> files, const Manifest& manifest,
                       MachineRegistry& registry) {
  const FileTree tree(files);
  for (const FileEntry& entry : manifest.files) {
    TB_TRY_ASSIGN(const std::optional<size_t> at, file_of(tree, entry));
    registry.files_of_entries.push_back(at);
    if (at) registry.files[*at].entry = &entry;
  }
  return {};
}

// Returns the named machine with this id in the file; null if the manifest has none.
const MachineId* declared(const FileMachines& file, uint64_t id, const ManifestIndex& index,
                          const MachineRegistry& registry) {
  if (file.entry == nullptr) return nullptr;
  if (file.entry->machine) return &registry.by_name.at(file.entry->scope + *file.entry->machine);
  const std::string* name = index.name_of(*file.entry, id);
  return name == nullptr ? nullptr : &registry.by_name.at(file.entry->scope + *name);
}

void assign_file(const EmbeddedIds& embedded, const ManifestIndex& index, FileMachines& file,
                 MachineRegistry& registry, Store& store) {
  const bool has_own_names =
      file.entry != nullptr && (file.entry->machine || !file.entry->machines.empty());
  // A file with events of one remote machine only belongs to that machine. A file with messages
  // between two machines belongs to the host, whichever came first.
  const bool adopts =
      !has_own_names && !embedded.is_host_first && !embedded.ids.empty() && !embedded.has_ping;
  if (const MachineId* named = declared(file, 0, index, registry))
    file.base = *named;
  else
    file.base = machine_row(adopts ? embedded.ids.front() : 0, registry, store);
  file.by_raw_id[0] = file.base;
  for (const uint64_t id : embedded.ids) {
    const MachineId* named = declared(file, id, index, registry);
    file.by_raw_id[id] = named != nullptr ? *named : machine_row(id, registry, store);
  }
}

void set_text(StringId from, const StringPool& strings, Column<StringId>& column, MachineId row,
              StringPool& pool) {
  if (from) column.at(row.row) = pool.intern(strings.get(from));
}

void set_facts(const MachineFacts& facts, const StringPool& strings, MachineId row, Store& store) {
  MachineTable& table = store.machines;
  set_text(facts.name, strings, table.name, row, store.strings);
  set_text(facts.sysname, strings, table.sysname, row, store.strings);
  set_text(facts.release, strings, table.release, row, store.strings);
  set_text(facts.version, strings, table.version, row, store.strings);
  set_text(facts.arch, strings, table.arch, row, store.strings);
  set_text(facts.android_build_fingerprint, strings, table.android_build_fingerprint, row,
           store.strings);
  set_text(facts.android_device_manufacturer, strings, table.android_device_manufacturer, row,
           store.strings);
  if (facts.num_cpus >= 0) table.num_cpus.at(row.row) = {facts.num_cpus};
  if (facts.android_sdk_version >= 0)
    table.android_sdk_version.at(row.row) = {facts.android_sdk_version};
  if (facts.system_ram_bytes >= 0) {
    constexpr int64_t kGigabyte = 1'000'000'000;
    const int64_t bytes = facts.system_ram_bytes;
    table.system_ram_bytes.at(row.row) = {bytes};
    table.system_ram_gb.at(row.row) = {bytes / kGigabyte + (bytes % kGigabyte >= kGigabyte / 2)};
  }
}

}  // namespace

MachineId machine_row(uint64_t raw_id, MachineRegistry& registry, Store& store) {
  MachineTable& table = store.machines;
  const auto [at, added] =
      registry.rows.try_emplace(raw_id, MachineId{static_cast<uint32_t>(table.rows())});
  if (added) {
    table.raw_id.append(static_cast<int64_t>(raw_id));
    for (Column<StringId>* text :
         {&table.name, &table.sysname, &table.release, &table.version, &table.arch,
          &table.android_build_fingerprint, &table.android_device_manufacturer})
      text->append({});
    for (Column<OptInt>* number : {&table.num_cpus, &table.android_sdk_version,
                                   &table.system_ram_bytes, &table.system_ram_gb})
      number->append({});
  }
  return at->second;
}

MachineId new_machine_row(MachineRegistry& registry, Store& store) {
  uint64_t raw_id = kFirstNamedMachine;
  while (registry.rows.contains(raw_id)) ++raw_id;
  return machine_row(raw_id, registry, store);
}

ManifestIndex::ManifestIndex(const Manifest& manifest) : manifest_(manifest) {
  for (size_t i = 0; i < manifest.files.size(); ++i) {
    const FileEntry& entry = manifest.files[i];
    by_path_.try_emplace(entry.path, i);
    if (entry.machine) declared_.insert({i, *entry.machine});
    for (const MachineName& machine : entry.machines) {
      declared_.insert({i, machine.name});
      names_.try_emplace({i, machine.id}, &machine.name);
    }
  }
}

const FileEntry* ManifestIndex::entry(std::string_view path) const {
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? nullptr : &manifest_.files[at->second];
}

bool ManifestIndex::declares(const FileEntry& entry, std::string_view machine) const {
  return declared_.contains({position(entry), machine});
}

const std::string* ManifestIndex::name_of(const FileEntry& entry, uint64_t id) const {
  const auto at = names_.find({position(entry), id});
  return at == names_.end() ? nullptr : at->second;
}

MachineId machine_of(const ManifestIndex& index, const FileEntry& entry,
                     const std::optional<std::string>& name, MachineRegistry& registry,
                     Store& store) {
  if (name) return registry.by_name.at(entry.scope + *name);
  if (entry.machine) return registry.by_name.at(entry.scope + *entry.machine);
  if (const std::optional<size_t> file = registry.files_of_entries[index.position(entry)];
      file && registry.files[*file].base)
    return registry.files[*file].base;
  const std::string* own = index.name_of(entry, 0);
  return own == nullptr ? machine_row(0, registry, store) : registry.by_name.at(entry.scope + *own);
}

Result<> check_references(const Manifest& manifest, const ManifestIndex& index) {
  if (const auto& time = manifest.trace_time) {
    if (time->machine && !time->file)
      return tl::unexpected(broken(
          fmt::format("trace_time: machine '{}' needs trace_time: file too: a machine name alone "
                      "is ambiguous because embedded machine ids are scoped to their trace.",
                      *time->machine)));
    if (time->file) TB_TRY(check_reference(index, *time->file, time->machine, "trace_time: "));
  }
  for (const FileEntry& entry : manifest.files)
    if (entry.clocks) TB_TRY(check_clocks(index, entry));
  return {};
}

Result<MachineRegistry> assign_machines(std::span<const FileToLocate> files,
                                        const Manifest* manifest, const ManifestIndex& index,
                                        Store& store) {
  MachineRegistry registry;
  registry.files.resize(files.size());
  if (manifest != nullptr) {
    TB_TRY(check_references(*manifest, index));
    name_machines(*manifest, registry, store);
    TB_TRY(match_entries(files, *manifest, registry));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].is_container || files[i].format == nullptr) continue;
    const EmbeddedIds embedded = embedded_ids(files[i]);
    TB_TRY(check_overrides(registry.files[i], embedded, index));
    assign_file(embedded, index, registry.files[i], registry, store);
  }
  return registry;
}

void fill_machine_facts(std::span<const FileToLocate> files, const MachineRegistry& registry,
                        Store& store) {
  for (size_t i = 0; i < files.size(); ++i) {
    for (const EventBatch* batch : files[i].chunks)
      for (const MachineFacts& facts : batch->machine_facts)
        set_facts(facts, batch->strings,
                  registry.files[i].by_raw_id.at(batch->machines[facts.machine]), store);
  }
}

void note_skews(const Manifest& manifest, const Store& store, MachineRegistry& registry,
                std::vector<Problem>& warnings) {
  for (const MachineEntry& machine : manifest.machines) {
    std::optional<MachineId> row;
    if (const auto named = registry.by_name.find(machine.name); named != registry.by_name.end())
      row = named->second;
    const StringId name = store.strings.find(machine.name);
    for (uint32_t i = 0; i < store.machines.rows() && name && !row; ++i)
      if (store.machines.name[i] == name) row = MachineId{i};
    if (row)
      registry.skews[*row] = machine.wall_clock_skew_ns;
    else
      warnings.push_back(
          {"", broken(fmt::format("machines: no input is of machine '{}'", machine.name))});
  }
}

}  // namespace tracebraid
