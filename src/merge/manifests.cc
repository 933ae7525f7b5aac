#include "merge/manifests.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/file_bytes.h"

namespace tracebraid {
namespace {

Result<std::string> read_whole(TraceFile& file) {
  TB_TRY_ASSIGN(Input input, file.open());
  std::string text(input.all().bytes);
  file.size = text.size();
  return text;
}

// Finds the file that an entry names.
class Targets {
 public:
  Targets(std::span<const FileToLocate> files, const std::vector<Manifest>& manifests)
      : files_(files) {
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].parent && (files[i].name != "" || files[i].is_container))
        archives_.insert(files[i].parent);
      if (!files[i].name && files[i].manifest_path.empty()) continue;
      by_path_.try_emplace(files[i].manifest_path, i);
      if (files[i].name) by_name_[*files[i].name].push_back(i);
    }
    for (const Manifest& manifest : manifests) scopes_.push_back(manifest.scope);
  }

  // Searches by path from the manifest's archive, then by bare name in inner archives without a
  // manifest (spec clocks 11.4).
  std::optional<FileId> find(const std::string& scope, const std::string& path) const {
    if (const auto at = by_path_.find(scope + path); at != by_path_.end())
      return files_[at->second].file;
    const auto named = by_name_.find(path);
    if (named == by_name_.end()) return std::nullopt;
    for (const size_t i : named->second)
      if (scope_of(files_[i].manifest_path) == scope) return files_[i].file;
    return std::nullopt;
  }

  std::vector<size_t> matching(const std::string& scope, std::string_view pattern) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < files_.size(); ++i) {
      const FileToLocate& file = files_[i];
      const bool is_named =
          (file.name ? !file.name->empty() : !file.manifest_path.empty()) && !file.is_manifest;
      if (is_named && scope_of(file.manifest_path) == scope && !archives_.contains(file.file) &&
          matches_pattern(std::string_view(file.manifest_path).substr(scope.size()), pattern))
        found.push_back(i);
    }
    std::ranges::sort(found, {}, [&](size_t i) { return files_[i].file; });
    return found;
  }

  const FileToLocate& file(size_t i) const { return files_[i]; }

 private:
  // Returns the scope of the innermost archive around the path that has a manifest.
  std::string_view scope_of(std::string_view path) const {
    std::string_view best;
    for (const std::string& scope : scopes_)
      if (path.starts_with(scope) && scope.size() > best.size()) best = scope;
    return best;
  }
  std::span<const FileToLocate> files_;
  std::vector<std::string> scopes_;
  absl::flat_hash_map<std::string_view, size_t> by_path_;
  absl::flat_hash_map<std::string_view, std::vector<size_t>> by_name_;
  absl::flat_hash_set<FileId> archives_;  // archives that are more than one compressed file
};

// Joins the manifests into one, outermost first.
class Joiner {
 public:
  Joiner(std::span<const FileToLocate> files, const std::vector<Manifest>& manifests,
         std::vector<Problem>& warnings)
      : targets_(files, manifests), warnings_(warnings) {}

  void add_exact(const Manifest& manifest) {
    for (const FileEntry& entry : manifest.files) {
      if (entry.is_glob) continue;
      std::optional<FileId> target = targets_.find(manifest.scope, entry.path);
      if (!target) {
        warn(manifest,
             fmt::format("no input has the path '{}'; its entry is not used", entry.path));
      } else if (!taken_.insert(*target).second) {
        warn(manifest, fmt::format("'{}' has another entry, which counts more", entry.path));
        target.reset();
      }
      add(manifest, entry, entry.path, target.value_or(FileId{}));
    }
  }

  void add_patterns(const Manifest& manifest) {
    for (const FileEntry& entry : manifest.files) {
      if (!entry.is_glob) continue;
      size_t used = 0;
      for (const size_t i : targets_.matching(manifest.scope, entry.path)) {
        const FileToLocate& file = targets_.file(i);
        if (!taken_.insert(file.file).second) continue;
        ++used;
        add(manifest, entry, file.manifest_path.substr(manifest.scope.size()), file.file);
      }
      if (used == 0)
        warn(manifest, fmt::format("the pattern '{}' matches no input that has no entry of its own",
                                   entry.path));
    }
  }

  void add_rest(Manifest& manifest) {
    if (!all_.trace_time && manifest.trace_time) {
      all_.trace_time = manifest.trace_time;
      if (all_.trace_time->file) all_.trace_time->file->insert(0, manifest.scope);
      all_.file = manifest.file;
    }
    for (Attribute& attribute : manifest.attributes)
      if (std::ranges::find(all_.attributes, attribute.key, &Attribute::key) ==
          all_.attributes.end())
        all_.attributes.push_back(std::move(attribute));
    for (MachineEntry& machine : manifest.machines) {
      machine.name.insert(0, manifest.scope);
      all_.machines.push_back(std::move(machine));
    }
    if (!all_.clock_model) all_.clock_model = manifest.clock_model;
    if (!all_.join_flows) all_.join_flows = manifest.join_flows;
    if (!all_.align) all_.align = manifest.align;
  }

  Manifest take() && { return std::move(all_); }

 private:
  void add(const Manifest& manifest, const FileEntry& entry, const std::string& path,
           FileId target) {
    FileEntry& added = all_.files.emplace_back(entry);
    added.path = manifest.scope + path;
    added.is_glob = false;
    added.scope = manifest.scope;
    added.manifest = manifest.file;
    added.target = target;
    if (added.clocks) added.clocks->sync_to.file.insert(0, manifest.scope);
    if (!added.clock_group.empty()) added.clock_group.insert(0, manifest.scope);
  }
  void warn(const Manifest& manifest, const std::string& text) {
    warnings_.push_back({manifest.path, {ErrorCode::BadManifest, "perfetto_manifest: " + text}});
  }

  Targets targets_;
  std::vector<Problem>& warnings_;
  absl::flat_hash_set<FileId> taken_;
  Manifest all_;
};

}  // namespace

std::optional<uint32_t> archive_of(uint32_t row, std::span<const TraceFile> files) {
  while (files[row].parent && files[row].name == "") row = *files[row].parent;
  return files[row].parent;
}

std::vector<std::string> manifest_paths(std::span<const TraceFile> files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const TraceFile& file : files) {
    std::string path = file.parent ? paths[*file.parent] : "";
    if (file.name && !file.name->empty()) {
      if (!path.empty()) path += '/';
      path += *file.name;
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& path,
                                std::vector<Problem>& warnings) {
  std::vector<std::string> found;
  TB_TRY_ASSIGN(Manifest manifest, parse_manifest(text, found));
  for (std::string& warning : found)
    warnings.push_back({path, {ErrorCode::BadManifest, std::move(warning)}});
  manifest.path = path;
  return manifest;
}

Result<std::vector<Manifest>> read_manifests(const std::string& named,
                                             const std::optional<std::string>& known,
                                             std::span<const uint32_t> order,
                                             std::vector<TraceFile>& files,
                                             std::vector<Problem>& warnings, std::string& inner) {
  std::vector<Manifest> manifests;
  if (!named.empty()) {
    std::string text = known.value_or("");
    if (!known) {
      TB_TRY_ASSIGN(text, read_file(named));
    }
    TB_TRY_ASSIGN(Manifest manifest, parse_manifest(text, named, warnings));
    manifests.push_back(std::move(manifest));
  }
  const bool any =
      std::ranges::any_of(files, [](const TraceFile& file) { return file.is_manifest; });
  if (!any) return manifests;

  const std::vector<std::string> paths = manifest_paths(files);
  absl::flat_hash_set<std::string> scopes, with_traces;
  if (!named.empty()) scopes.insert("");
  for (const uint32_t row : order) {
    TraceFile& file = files[row];
    if (file.is_container()) continue;
    const std::optional<uint32_t> archive = archive_of(row, files);
    std::string scope = archive ? paths[*archive] : "";
    if (!scope.empty()) scope += '/';
    if (!file.is_manifest) {
      if (file.format != nullptr) with_traces.insert(std::move(scope));
      continue;
    }
    // The manifest of an archive that is the only input is replaced by the named one.
    if (!named.empty() && scope.empty() && archive) continue;
    if (!scopes.insert(scope).second) return fail(ErrorCode::BadManifest, kSecondManifest);
    if (with_traces.contains(scope))
      return fail(ErrorCode::BadManifest,
                  "perfetto_manifest file must be the first trace file in the input");
    TB_TRY_ASSIGN(const std::string text, read_whole(file));
    TB_TRY_ASSIGN(Manifest manifest, parse_manifest(text, file.path, warnings));
    if (scope.empty() && archive) inner = text;
    manifest.file = FileId{row};
    manifest.scope = std::move(scope);
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

Manifest join_manifests(std::vector<Manifest> manifests, std::span<const FileToLocate> files,
                        std::vector<Problem>& warnings) {
  std::ranges::stable_sort(manifests, {}, [](const Manifest& manifest) {
    return std::ranges::count(manifest.scope, '/');
  });
  Joiner joiner(files, manifests, warnings);
  for (const Manifest& manifest : manifests) joiner.add_exact(manifest);
  for (const Manifest& manifest : manifests) joiner.add_patterns(manifest);
  for (Manifest& manifest : manifests) joiner.add_rest(manifest);
  return std::move(joiner).take();
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  // The position at which to continue after a mismatch: the last * or the last **.
  struct Retry {
    size_t text = std::string_view::npos, pattern = 0;
  };
  Retry star, stars;
  size_t t = 0, p = 0;
  while (true) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool is_double = pattern.substr(p).starts_with("**");
      p += is_double ? 2 : 1;
      (is_double ? stars : star) = {t, p};
      if (is_double) star = {};
      continue;
    }
    if (t == text.size() && p == pattern.size()) return true;
    const bool fits = t < text.size() && p < pattern.size() &&
                      (pattern[p] == '?' ? text[t] != '/' : pattern[p] == text[t]);
    if (fits) {
      ++t;
      ++p;
    } else if (star.text < text.size() && text[star.text] != '/') {
      t = ++star.text;
      p = star.pattern;
    } else if (stars.text < text.size()) {
      t = ++stars.text;
      p = stars.pattern;
      star = {};
    } else {
      return false;
    }
  }
}

}  // namespace tracebraid
