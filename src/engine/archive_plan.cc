#include "engine/archive_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/file_bytes.h"
#include "container/sniff.h"
#include "container/source.h"
#include "format/format.h"
#include "manifest/manifest.h"

namespace tracebraid {
namespace {

Result<> check_input(const std::string& input) {
  if (input == "-")
    return fail(ErrorCode::Usage,
                "merge: standard input has no name that a manifest could use; save it to a file");
  return {};
}

bool is_trace(const std::string& path) {
  const std::optional<std::string> head = read_head(path, kPeekBytes);
  if (!head) return true;  // packing reports what is wrong with it
  return sniff_container(*head) != ContainerKind::None || is_manifest(*head) ||
         detect({*head, path}) != nullptr;
}

// Whether an input has the path, or is an archive that may contain a file with the path.
bool may_have(const std::set<std::string>& names, const std::string& path) {
  if (names.contains(path)) return true;
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (names.contains(path.substr(0, slash))) return true;
  return false;
}

// Checks the rules of the manifest itself, and that each file it names exists.
Result<> check_manifest(const std::string& text, const std::set<std::string>& names) {
  std::vector<std::string> warnings;
  const Result<Manifest> manifest = parse_manifest(text, warnings);
  if (!manifest) {
    // Errors of a manifest's content begin with this text; errors of other files do not.
    const bool is_manifest =
        manifest.error().message.starts_with("perfetto_manifest: ") &&
        !manifest.error().message.ends_with(" top-level perfetto_manifest key");
    return fail(ErrorCode::BadManifest,
                is_manifest ? manifest.error().message
                            : "merge: the manifest must be a JSON object with a top-level "
                              "perfetto_manifest key.");
  }
  for (const FileEntry& file : manifest->files)
    if (!file.is_glob && !may_have(names, file.path))
      return fail(
          ErrorCode::BadManifest,
          fmt::format("merge: the manifest names file '{}' but no input file has that name. "
                      "Manifest paths must match the input files' base names.",
                      file.path));
  return {};
}

}  // namespace

Result<std::vector<ArchiveEntry>> plan_archive(std::span<const std::string> inputs,
                                               const std::optional<std::string>& manifest) {
  std::vector<ArchiveEntry> entries;
  std::set<std::string> names;
  if (manifest) {
    entries.push_back({.name = std::string(kManifestName), .path = {}, .bytes = manifest});
    names.insert(std::string(kManifestName));
  }
  for (const std::string& input : inputs) TB_TRY(check_input(input));
  TB_TRY_ASSIGN(std::vector<NamedPath> files, list_files(inputs));
  for (NamedPath& file : files) {
    if (!names.insert(file.name).second)
      return fail(ErrorCode::Usage,
                  fmt::format("merge: two input files share the name '{}'; archive members must be "
                              "unique. Rename one of the files.",
                              file.name));
    entries.push_back({.name = std::move(file.name),
                       .path = std::move(file.path),
                       .bytes = std::nullopt,
                       .in_folder = file.in_folder});
  }
  if (manifest) TB_TRY(check_manifest(*manifest, names));
  return entries;
}

Result<std::vector<std::string>> skip_unknown_files(bool skip_unknown,
                                                    std::vector<ArchiveEntry>& entries) {
  std::vector<std::string> skipped;
  for (const ArchiveEntry& entry : entries) {
    if (entry.bytes || is_trace(entry.path)) continue;
    if (!entry.in_folder && !skip_unknown)
      return fail(
          ErrorCode::Unsupported,
          fmt::format("merge: {}: the file is no trace; --skip-unknown leaves such files out",
                      entry.path));
    skipped.push_back(entry.path);
  }
  std::erase_if(entries, [&](const ArchiveEntry& entry) {
    return !entry.bytes && std::ranges::count(skipped, entry.path) != 0;
  });
  return skipped;
}

ArchiveFormat archive_format(std::string_view path) {
  std::string end(path.substr(path.size() - std::min<size_t>(4, path.size())));
  std::ranges::transform(end, end.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return end == ".zip" ? ArchiveFormat::Zip : ArchiveFormat::Tar;
}

}  // namespace tracebraid
