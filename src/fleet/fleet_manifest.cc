#include <fmt/format.h>
#include <sys/stat.h>

#include "base/file_bytes.h"
#include "base/words.h"
#include "fleet/json.h"
#include "fleet/source.h"

namespace tracebraid::fleet {
namespace {

// Returns the path as seen from where the program runs.
std::string beside(const std::string& folder, const std::string& path) {
  if (path.starts_with('/') || folder.empty()) return path;
  return folder.ends_with('/') ? folder + path : folder + "/" + path;
}

// A missing file is an error of its group, so its size is not known here.
int64_t size_of(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_size : -1;
}

Error broken(const std::string& path, size_t line, std::string_view what) {
  return {ErrorCode::BadManifest, fmt::format("{}: line {} {}", path, line, what)};
}

Result<Group> parse_group(const std::string& manifest, size_t line, const Json& row) {
  const std::string folder = folder_of(manifest);
  std::vector<Json> items = row.member("paths").elements();
  const bool has_paths = row.member("paths").is_given();
  if (!has_paths && row.member("path").is_given()) items.push_back(row.member("path"));
  Group group{.root = folder.empty() ? "." : folder};
  for (const Json& item : items) {
    const std::optional<std::string> text = item.text();
    if (!text)
      return tl::unexpected(broken(manifest, line, "has no path and no paths, which are texts"));
    if (text->find("://") != text->npos)
      return tl::unexpected(
          Error{ErrorCode::Unsupported,
                fmt::format("{}: line {} has the URL {}, which the program does not read itself",
                            manifest, line, *text),
                "the Python package has the same command: pip install tracebraid"});
    group.paths.push_back(beside(folder, *text));
    group.sizes.push_back(size_of(group.paths.back()));
  }
  if (group.paths.empty())
    return tl::unexpected(broken(manifest, line, "has no path and no paths, which are texts"));
  group.name = row.member("group").plain();
  if (group.name.empty()) group.name = relative_path(group.paths.front(), group.root);
  if (row.member("manifest").is_given())
    group.manifest = beside(folder, row.member("manifest").plain());
  for (const auto& [name, value] : row.members())
    if (name != "path" && name != "paths" && name != "group" && name != "manifest")
      group.carried.emplace_back(name, value.plain());
  return group;
}

}  // namespace

Result<std::vector<Group>> manifest_groups(const std::string& path) {
  TB_TRY_ASSIGN(const std::string text, read_file(path));
  std::vector<Group> groups;
  size_t number = 0;
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    ++number;
    if (trim_lines(line).empty()) continue;
    const Result<JsonDocument> document = JsonDocument::parse(line);
    if (!document || !document->root().is_object())
      return tl::unexpected(broken(path, number, "is no JSON object"));
    TB_TRY_ASSIGN(Group group, parse_group(path, number, document->root()));
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace tracebraid::fleet
