#include "merge/locate/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "clock/clock_key.h"

namespace tracebraid {
namespace {

// Corrections of the wall clock within one boot are usually smaller.
constexpr int64_t kLargestCorrectionNs = 500'000'000;
// A reading before 2000 is no wall-clock time: the clock was not set.
constexpr int64_t kFirstWallClockNs = 946'684'800'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;

// The facts of a file by which machines are distinguished.
struct Identity {
  // REALTIME minus BOOTTIME, ns; none if they were not read together.
  std::optional<int64_t> least_offset, most_offset;
  std::string fingerprint, sysname, release, version, arch;

  void see(int64_t offset) {
    least_offset = std::min(least_offset.value_or(offset), offset);
    most_offset = std::max(most_offset.value_or(offset), offset);
  }
};

void note_offset(const Snapshot& snapshot, const EventBatch& batch, Identity& identity) {
  std::optional<int64_t> boottime, realtime;
  for (uint32_t i = 0; i < snapshot.count; ++i) {
    const SnapshotReading& reading = batch.readings[snapshot.first + i];
    const ClockName& clock = batch.clocks[reading.clock];
    if (clock.sequence != 0 || clock.tick_ns != 1) continue;
    if (clock.domain == domain::kBoottime) boottime = reading.ticks;
    if (clock.domain == domain::kRealtime) realtime = reading.ticks;
  }
  int64_t offset = 0;
  if (boottime && realtime && *realtime >= kFirstWallClockNs &&
      !__builtin_sub_overflow(*realtime, *boottime, &offset))
    identity.see(offset);
}

void set(StringId text, const StringPool& strings, std::string& field) {
  if (text) field = strings.get(text);
}

// Returns the facts of the file, by machine row.
std::map<MachineId, Identity> identities_of(const FileToLocate& file,
                                            const FileMachines& machines) {
  std::map<MachineId, Identity> all;
  for (const EventBatch* batch : file.chunks) {
    const auto of = [&](uint32_t machine) -> Identity& {
      return all[machines.by_raw_id.at(batch->machines[machine])];
    };
    for (const Snapshot& snapshot : batch->snapshots)
      if (snapshot.kind == SnapshotKind::Together)
        note_offset(snapshot, *batch, of(snapshot.machine));
    for (const MachineFacts& facts : batch->machine_facts) {
      Identity& identity = of(facts.machine);
      set(facts.android_build_fingerprint, batch->strings, identity.fingerprint);
      set(facts.sysname, batch->strings, identity.sysname);
      set(facts.release, batch->strings, identity.release);
      set(facts.version, batch->strings, identity.version);
      set(facts.arch, batch->strings, identity.arch);
    }
  }
  return all;
}

bool differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

// Returns why the two cannot be one machine; empty if they can.
std::string conflict(const Identity& a, const Identity& b) {
  if (differ(a.fingerprint, b.fingerprint))
    return fmt::format("its build is {}, not {}", b.fingerprint, a.fingerprint);
  for (const auto field :
       {&Identity::sysname, &Identity::release, &Identity::version, &Identity::arch})
    if (differ(a.*field, b.*field))
      return fmt::format("its kernel is {}, not {}", b.*field, a.*field);
  if (!a.least_offset || !b.least_offset) return {};
  const __int128 later = __int128{*b.least_offset} - *a.most_offset;
  const __int128 earlier = __int128{*a.least_offset} - *b.most_offset;
  const __int128 apart = std::max(later, earlier);
  if (apart <= kLargestCorrectionNs) return {};
  return fmt::format("its wall clock differs by {} ms at the same BOOTTIME",
                     static_cast<int64_t>(apart / kMillisecond));
}

void merge_into(const Identity& more, Identity& known) {
  if (more.least_offset) {
    known.see(*more.least_offset);
    known.see(*more.most_offset);
  }
  for (const auto field : {&Identity::fingerprint, &Identity::sysname, &Identity::release,
                           &Identity::version, &Identity::arch})
    if ((known.*field).empty()) known.*field = more.*field;
}

// One of the machines that a machine row was split into.
struct Claimant {
  MachineId row;
  Identity identity;
  size_t file;  // first file of the machine
};

bool is_named(MachineId machine, const MachineRegistry& registry) {
  return std::ranges::any_of(registry.by_name,
                             [&](const auto& entry) { return entry.second == machine; });
}

void move_machine(MachineId from, MachineId to, FileMachines& file) {
  if (file.base == from) file.base = to;
  for (auto& [raw_id, machine] : file.by_raw_id)
    if (machine == from) machine = to;
}

std::string name_of(const FileToLocate& file) {
  if (file.name && !file.name->empty()) return *file.name;
  return file.manifest_path.empty() ? fmt::format("file {}", file.file.row) : file.manifest_path;
}

class Splitter {
 public:
  Splitter(std::span<const FileToLocate> files, bool is_strict, MachineRegistry& registry,
           Store& store, std::vector<Problem>& warnings)
      : files_(files),
        is_strict_(is_strict),
        registry_(registry),
        store_(store),
        warnings_(warnings) {}

  Result<> add(size_t file) {
    for (const auto& [machine, identity] : identities_of(files_[file], registry_.files[file])) {
      if (is_named(machine, registry_)) continue;
      TB_TRY(claim(file, machine, identity));
    }
    return {};
  }

 private:
  Result<> claim(size_t file, MachineId machine, const Identity& identity) {
    std::vector<Claimant>& claimants = claimants_[machine];
    std::string why;
    for (Claimant& claimant : claimants) {
      std::string conflicts = conflict(claimant.identity, identity);
      if (conflicts.empty()) {
        merge_into(identity, claimant.identity);
        if (claimant.row != machine) move_machine(machine, claimant.row, registry_.files[file]);
        return {};
      }
      if (why.empty())
        why = fmt::format("is not from the machine of {}, although it claims to be: {}",
                          name_of(files_[claimant.file]), conflicts);
    }
    MachineId row = machine;
    if (!claimants.empty()) {
      Error error{ErrorCode::BadInput, why};
      if (is_strict_) return tl::unexpected(std::move(error).within(name_of(files_[file])));
      error.message += "; treated as another machine";
      warnings_.push_back({name_of(files_[file]), std::move(error)});
      row = new_machine_row(registry_, store_);
      move_machine(machine, row, registry_.files[file]);
    }
    claimants.push_back({row, identity, file});
    return {};
  }

  std::span<const FileToLocate> files_;
  bool is_strict_;
  MachineRegistry& registry_;
  Store& store_;
  std::vector<Problem>& warnings_;
  std::map<MachineId, std::vector<Claimant>> claimants_;
};

}  // namespace

Result<> split_machines(std::span<const FileToLocate> files, bool is_strict,
                        MachineRegistry& registry, Store& store, std::vector<Problem>& warnings) {
  Splitter splitter(files, is_strict, registry, store, warnings);
  for (size_t i = 0; i < files.size(); ++i)
    if (!files[i].is_container && files[i].format != nullptr) TB_TRY(splitter.add(i));
  return {};
}

}  // namespace tracebraid
