// Machines: assigns each file, and each machine id inside a file, to a row of machine. The first
// step of locate().
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manifest/manifest.h"
#include "merge/locate/located.h"

namespace tracebraid {

// An index of the entries of a manifest, by the names that other parts of it use.
class ManifestIndex {
 public:
  explicit ManifestIndex(const Manifest& manifest);

  // Returns null for an unknown path.
  const FileEntry* entry(std::string_view path) const;
  bool declares(const FileEntry& entry, std::string_view machine) const;
  // Returns the name that the entry gives to a machine id of its file, or null.
  const std::string* name_of(const FileEntry& entry, uint64_t id) const;
  size_t position(const FileEntry& entry) const {
    return static_cast<size_t>(&entry - manifest_.files.data());
  }

 private:
  const Manifest& manifest_;
  absl::flat_hash_map<std::string_view, size_t> by_path_;
  absl::flat_hash_set<std::pair<size_t, std::string_view>> declared_;
  absl::flat_hash_map<std::pair<size_t, uint64_t>, const std::string*> names_;
};

struct FileMachines {
  const FileEntry* entry = nullptr;  // entry of the manifest, or null
  MachineId base;                    // machine of events without an id
  absl::flat_hash_map<uint64_t, MachineId> by_raw_id;

  bool is_pinned() const { return entry != nullptr && entry->clocks && entry->clocks->pins_file(); }
};

// The machines of all files, and the rows of machine.
struct MachineRegistry {
  std::vector<FileMachines> files;                      // by file
  std::vector<std::optional<size_t>> files_of_entries;  // by entry of the manifest
  absl::flat_hash_map<std::string, MachineId> by_name;  // by scope + name in a manifest
  absl::flat_hash_map<uint64_t, MachineId> rows;        // by raw id
  absl::flat_hash_map<MachineId, int64_t>
      skews;  // by how far the wall clock is ahead of the true time, ns
};

// Returns the row of the machine with this id; appends it if it is new.
MachineId machine_row(uint64_t raw_id, MachineRegistry& registry, Store& store);

// Appends a machine without an id in any file; its id is in the range of named machines.
MachineId new_machine_row(MachineRegistry& registry, Store& store);

// Returns the machine of an entry: the named one, or else that of its file.
MachineId machine_of(const ManifestIndex& index, const FileEntry& entry,
                     const std::optional<std::string>& name, MachineRegistry& registry,
                     Store& store);

// Checks the references between entries of the manifest (spec clocks 10.4, rows 34-39).
Result<> check_references(const Manifest& manifest, const ManifestIndex& index);

// Assigns all machines (spec clocks 4.1, 10.5 step 1 and 10.6).
Result<MachineRegistry> assign_machines(std::span<const FileToLocate> files,
                                        const Manifest* manifest, const ManifestIndex& index,
                                        Store& store);

// Stores the facts of files about their machines: names, releases, memory ...
void fill_machine_facts(std::span<const FileToLocate> files, const MachineRegistry& registry,
                        Store& store);

// Stores the facts of the manifest about machines that the manifest or a file names.
void note_skews(const Manifest& manifest, const Store& store, MachineRegistry& registry,
                std::vector<Problem>& warnings);

}  // namespace tracebraid
