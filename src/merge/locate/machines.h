// Which machine each file, and each machine id embedded in one, is.
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

// The entries of a manifest by what other parts of it call them.
class ManifestIndex {
 public:
  explicit ManifestIndex(const Manifest& manifest);

  // Null if there is none.
  const FileEntry* entry(std::string_view path) const;
  bool declares(const FileEntry& entry, std::string_view machine) const;
  // The name that the entry gives to a machine id of its file; null if it gives none.
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
  const FileEntry* entry = nullptr;  // what the manifest says of the file
  MachineId base;                    // of what carries no id
  absl::flat_hash_map<uint64_t, MachineId> by_raw_id;

  bool is_pinned() const { return entry != nullptr && entry->clocks && entry->clocks->pins_file(); }
};

struct Roster {
  std::vector<FileMachines> files;                      // by file
  std::vector<std::optional<size_t>> files_of_entries;  // by entry of the manifest
  absl::flat_hash_map<std::string, MachineId> by_name;  // scope + name that a manifest gives
  absl::flat_hash_map<uint64_t, MachineId> rows;        // by raw id
  absl::flat_hash_map<MachineId, int64_t> skews;        // of wall clocks, ns ahead of the true time
};

// The row of the machine with this raw id; appended if there is none.
MachineId machine_row(uint64_t raw_id, Roster& roster, Store& store);

// Appends one that no file has an id for; its raw id is one like those of named machines.
MachineId new_machine_row(Roster& roster, Store& store);

// The machine of an entry: the one it names, or its file's own.
MachineId machine_of(const ManifestIndex& index, const FileEntry& entry,
                     const std::optional<std::string>& name, Roster& roster, Store& store);

// The manifest's rules about what its entries name (spec clocks 10.4, rows 34-39).
Result<> check_references(const Manifest& manifest, const ManifestIndex& index);

// Spec clocks 4.1, 10.5 step 1 and 10.6.
Result<Roster> assign_machines(std::span<const FileToLocate> files, const Manifest* manifest,
                               const ManifestIndex& index, Store& store);

// What files say of their machines: names, releases, memory ...
void fill_machine_facts(std::span<const FileToLocate> files, const Roster& roster, Store& store);

// What the manifest says of machines that it, or a file, gives the name.
void note_skews(const Manifest& manifest, const Store& store, Roster& roster,
                std::vector<Problem>& warnings);

}  // namespace tracebraid
