#include "engine/archive_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "manifest/manifest.h"

namespace tracebraid {
namespace {

Result<std::string> member_name(const std::string& input) {
  if (input == "-")
    return fail(ErrorCode::Usage,
                "merge: standard input has no name that a manifest could use; save it to a file");
  std::error_code error;
  if (std::filesystem::is_directory(input, error))
    return fail(ErrorCode::Usage,
                fmt::format("merge: '{}' is a directory; name the files in it", input));
  return input.substr(input.rfind('/') + 1);
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
    if (!names.contains(file.path))
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
  for (const std::string& input : inputs) {
    TB_TRY_ASSIGN(std::string name, member_name(input));
    if (!names.insert(name).second)
      return fail(ErrorCode::Usage,
                  fmt::format("merge: two input files share the name '{}'; archive members must be "
                              "unique. Rename one of the files.",
                              name));
    entries.push_back({.name = std::move(name), .path = input, .bytes = std::nullopt});
  }
  if (manifest) TB_TRY(check_manifest(*manifest, names));
  return entries;
}

ArchiveFormat archive_format(std::string_view path) {
  std::string end(path.substr(path.size() - std::min<size_t>(4, path.size())));
  std::ranges::transform(end, end.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return end == ".zip" ? ArchiveFormat::Zip : ArchiveFormat::Tar;
}

}  // namespace tracebraid
