#include "assemble/samples/deobfuscate_frames.h"

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assemble/samples/package_path.h"
#include "assemble/stats.h"

namespace tracebraid {
namespace {

// The packages whose names apply to the frames of a mapping.
struct FramePackage {
  enum class From { Path, Any, Process } from = From::Process;
  StringId package;  // for Path
};

// Finds the package of each frame.
class FramePackages {
 public:
  FramePackages(Problems& problems, Store& store) : problems_(problems), store_(store) {
    const PackageListTable& packages = store.package_list;
    for (size_t row = 0; row < packages.rows(); ++row)
      by_app_.try_emplace(packages.uid[row], packages.package_name[row]);
    of_frames_.resize(store.stack_frames.rows());
    visited_.resize(store.stack_callsites.rows());
    note_stacks();
  }

  FramePackage find(uint32_t frame) {
    const uint32_t mapping = store_.stack_frames.mapping[frame];
    const auto [known, is_new] = of_mappings_.try_emplace(mapping);
    if (is_new) known->second = of_mapping(mapping);
    FramePackage found = known->second;
    if (found.from == FramePackage::From::Process) found.package = of_frames_[frame];
    return found;
  }

 private:
  FramePackage of_mapping(uint32_t mapping) {
    const StringId name = store_.stack_mappings.name[mapping];
    const std::string path(name ? store_.strings.get(name) : std::string_view());
    const PackageOfPath of_path = package_of_path(path);
    if (of_path.is_malformed) problems_.count(stats::deobfuscate_location_parse_error, 0, {});
    if (!of_path.package.empty())
      return {FramePackage::From::Path, store_.strings.find(of_path.package)};
    if (path.starts_with("/memfd:")) return {FramePackage::From::Any, {}};
    return {};
  }

  // Frames belong to the package of the first process that has them in a stack.
  void note_stacks() {
    if (by_app_.empty()) return;
    const HeapProfileAllocationTable& heap = store_.heap_profile_allocations;
    for (size_t row = 0; row < heap.rows(); ++row)
      note_stack(heap.callsite_id[row], heap.upid[row]);
    const ProfilerSampleTable& samples = store_.profiler_samples;
    for (size_t row = 0; row < samples.rows(); ++row)
      if (const uint32_t task = samples.task_context_id[row].row; task != OptRow::kNull)
        note_stack(samples.callsite_id[row].row, store_.profiler_task_contexts.upid[task].row);
    const HeapGraphThreadCallsiteTable& threads = store_.heap_graph_thread_callsites;
    for (size_t row = 0; row < threads.rows(); ++row)
      note_stack(threads.callsite_id[row].row,
                 store_.heap_graphs.upid[threads.heap_graph_id[row]].row);
  }

  void note_stack(uint32_t callsite, uint32_t upid) {
    if (upid == OptRow::kNull || callsite == OptRow::kNull) return;
    const OptInt uid = store_.processes.uid[upid];
    if (uid.value == OptInt::kNull) return;
    constexpr int64_t kUidsOfUser = 100'000;
    const auto package = by_app_.find(uid.value % kUidsOfUser);
    if (package == by_app_.end()) return;
    // Callers of a callsite that was visited were visited, too.
    for (; callsite != OptRow::kNull && !visited_[callsite];
         callsite = store_.stack_callsites.parent_id[callsite].row) {
      visited_[callsite] = true;
      StringId& of = of_frames_[store_.stack_callsites.frame_id[callsite]];
      if (!of) of = package->second;
    }
  }

  Problems& problems_;
  Store& store_;
  absl::flat_hash_map<int64_t, StringId> by_app_;  // the first package of an app id
  absl::flat_hash_map<uint32_t, FramePackage> of_mappings_;
  std::vector<StringId> of_frames_;
  std::vector<bool> visited_;  // by callsite
};

using Methods = std::vector<const Deobfuscation*>;

class FrameNames {
 public:
  FrameNames(std::span<const PlacedBatch> batches, Store& store) : store_(store) {
    for (const PlacedBatch& from : batches)
      for (const Deobfuscation& entry : from.batch.stacks.deobfuscations)
        if (entry.kind == Deobfuscation::Kind::Method && entry.package)
          methods_[entry.obfuscated].push_back(&entry);
  }

  bool is_empty() const { return methods_.empty(); }

  // The methods of a name, in file order, and their names as one text.
  struct Found {
    Methods methods;
    StringId joined;
  };

  // Valid until the next call.
  Found& find(StringId name, const FramePackage& of) {
    const bool is_any = of.from == FramePackage::From::Any;
    const auto [at, is_new] = found_.try_emplace({name, is_any ? StringId{} : of.package});
    const auto known = methods_.find(name);
    if (!is_new || known == methods_.end() || (!is_any && !of.package)) return at->second;
    for (const Deobfuscation* method : known->second)
      if (is_any || method->package == of.package) at->second.methods.push_back(method);
    return at->second;
  }

  void rename(uint32_t frame, Found& found) {
    constexpr size_t kMostInlined = 64;  // real chains are shorter; more are damage
    const Methods& methods = found.methods;
    StackFrameTable& frames = store_.stack_frames;
    if (const auto line = line_of(frames.symbol_set_id[frame])) {
      Methods inlined;
      for (const Deobfuscation* method : methods)
        if (inlined.size() < kMostInlined &&
            (method->line_start == kNoLine || method->line_start <= *line) &&
            (method->line_end == kNoLine || *line <= method->line_end))
          inlined.push_back(method);
      if (!inlined.empty()) {
        frames.symbol_set_id.at(frame) = OptRow{add_symbols(inlined)};
        frames.deobfuscated_name.at(frame) = inlined.back()->name;
        return;
      }
    }
    if (!found.joined) found.joined = joined_names(methods);
    frames.deobfuscated_name.at(frame) = found.joined;
  }

 private:
  StringId joined_names(const Methods& methods) {
    std::set<std::string_view> names;
    for (const Deobfuscation* method : methods) names.insert(store_.strings.get(method->name));
    std::string joined;
    for (const std::string_view name : names) {
      if (!joined.empty()) joined += " | ";
      joined += name;
    }
    return store_.strings.intern(joined);
  }
  // Returns the line of the first symbol of the set that has one.
  std::optional<int64_t> line_of(OptRow set) const {
    const StackSymbolTable& symbols = store_.stack_symbols;
    if (set.row == OptRow::kNull) return std::nullopt;
    for (size_t row = set.row; row < symbols.rows() && symbols.symbol_set_id[row] == set.row; ++row)
      if (symbols.line_number[row].value != OptInt::kNull) return symbols.line_number[row].value;
    return std::nullopt;
  }

  uint32_t add_symbols(const Methods& methods) {
    StackSymbolTable& table = store_.stack_symbols;
    const auto set = static_cast<uint32_t>(table.rows());
    for (const Deobfuscation* method : methods) {
      table.symbol_set_id.append(set);
      table.name.append(method->name);
      table.source_file.append({});
      table.line_number.append({method->source_line});  // kNoLine is NULL
      table.inlined.append({method == methods.back() ? 0 : 1});
    }
    return set;
  }

  Store& store_;
  absl::flat_hash_map<StringId, Methods> methods_;  // by obfuscated name
  // By that and the package; none for any.
  absl::flat_hash_map<std::pair<StringId, StringId>, Found> found_;
};

}  // namespace

void deobfuscate_frames(std::span<const PlacedBatch> batches, Problems& problems, Store& store) {
  FrameNames names(batches, store);
  if (names.is_empty()) return;
  FramePackages packages(problems, store);
  const StackFrameTable& frames = store.stack_frames;
  for (uint32_t row = 0; row < frames.rows(); ++row) {
    const StringId name = frames.name[row];
    if (!name || store.strings.get(name).find('.') == std::string_view::npos) continue;
    FrameNames::Found& found = names.find(name, packages.find(row));
    if (!found.methods.empty()) names.rename(row, found);
  }
}

}  // namespace tracebraid
