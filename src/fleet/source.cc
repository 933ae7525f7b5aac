#include "fleet/source.h"

#include <dirent.h>
#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "fleet/packed.h"

namespace tracebraid::fleet {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 512;  // bytes

struct Listed {
  std::string path;
  int64_t size = -1;
  std::string root;
  std::string version = {};
  std::optional<Failure> failure = {};
};

// A file whose size cannot be read, or a folder whose files cannot.
Listed unlisted(const std::string& path, const std::string& root, int reason) {
  Listed made{.path = path, .root = root};
  made.failure = Failure{.stage = "list",
                         .code = reason == ENOENT ? "NOT_FOUND" : "IO",
                         .message = fmt::format("{}: {}", path, std::strerror(reason)),
                         .file = path};
  return made;
}

Listed file_at(const std::string& path, const std::string& root) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return unlisted(path, root, errno);
  return {.path = path, .size = status.st_size, .root = root};
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool is_there(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

// Adds files in a folder and below, except hidden ones.
void walk(const std::string& folder, const std::string& root, std::vector<Listed>& files) {
  std::vector<std::string> names;
  DIR* const opened = ::opendir(folder.c_str());
  if (opened == nullptr) {
    files.push_back(unlisted(folder, root, errno));
    return;
  }
  while (const dirent* entry = ::readdir(opened))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(opened);
  std::ranges::sort(names);
  for (const std::string& name : names) {
    const std::string path = folder + (folder.ends_with('/') ? "" : "/") + name;
    if (is_folder(path))
      walk(path, root, files);
    else
      files.push_back(file_at(path, root));
  }
}

std::string folder_or_dot(const std::string& path) {
  const std::string folder = folder_of(path);
  return folder.empty() ? "." : folder;
}

// Adds files that match a glob. `_trace` is relative to the folder before the first wildcard.
void add_matching(const std::string& pattern, std::vector<Listed>& files) {
  const std::string root = folder_or_dot(pattern.substr(0, pattern.find_first_of("*?[")));
  for (const std::string& path : matching_paths(pattern))
    if (!is_folder(path)) files.push_back(file_at(path, root));
}

// Returns the folder that all items which are files have in common.
std::string root_of_files(const std::vector<std::string>& items) {
  std::optional<std::string> common;
  for (const std::string& item : items) {
    std::error_code failed;
    if (!fs::is_regular_file(item, failed)) continue;
    const std::string folder = folder_or_dot(absolute_path(item));
    if (!common) common = folder;
    while (*common != "/" && folder != *common && !folder.starts_with(*common + "/"))
      common = folder_or_dot(*common);
  }
  if (!common) return ".";
  return items.front().starts_with('/') ? *common : relative_path(*common, ".");
}

bool is_url(std::string_view path) { return path.find("://") != path.npos; }

Error needs_package(std::string_view what, const std::string& item) {
  return {ErrorCode::Unsupported,
          fmt::format("{}: {}, which the program does not read itself", item, what),
          "the Python package has the same command: pip install tracebraid"};
}

Result<> add_files(const std::string& item, const std::string& root, const HostFiles& host,
                   std::vector<Listed>& files) {
  if (is_url(item)) return tl::unexpected(needs_package("the source is a URL", item));
  if (is_folder(item)) {
    walk(item, item, files);
  } else if (is_there(item)) {
    struct stat status = {};
    ::stat(item.c_str(), &status);
    const std::string version =
        std::to_string(status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec);
    const std::vector<PackedFile> members = archives_in(item, host);
    for (const PackedFile& member : members)
      files.push_back({.path = item + "/" + member.name,
                       .size = member.size,
                       .root = item,
                       .version = version});
    if (members.empty()) files.push_back(file_at(item, root));
  } else if (is_glob(item)) {
    add_matching(item, files);
  } else {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file, folder or glob", item));
  }
  return {};
}

// Replaces {folder} and {group}; {{ and }} are braces.
Result<std::string> filled_pattern(const std::string& pattern, const std::string& folder,
                                   const std::string& group) {
  std::string made;
  for (size_t at = 0; at < pattern.size();) {
    const std::string_view rest = std::string_view(pattern).substr(at);
    const auto take = [&](std::string_view word, std::string_view text) {
      if (!rest.starts_with(word)) return false;
      made += text;
      at += word.size();
      return true;
    };
    if (take("{{", "{") || take("}}", "}") || take("{folder}", folder) || take("{group}", group))
      continue;
    if (rest[0] == '{' || rest[0] == '}')
      return fail(
          ErrorCode::Usage,
          fmt::format("--manifest-pattern: '{}' may have {{folder}} and {{group}} in braces "
                      "only",
                      pattern));
    made += pattern[at++];
  }
  return made;
}

struct Members {
  std::vector<Listed> files;
  std::vector<std::pair<std::string, std::string>> carried;
};

Result<std::optional<Group>> group_of(const std::string& name, Members members,
                                      const SourceRequest& request) {
  Group group{.name = name};
  if (!request.manifest_pattern.empty()) {
    const std::string first = members.files.front().path;
    TB_TRY_ASSIGN(group.manifest,
                  filled_pattern(request.manifest_pattern, folder_or_dot(first), name));
    std::erase_if(members.files, [&](const Listed& file) {
      return absolute_path(file.path) == absolute_path(group.manifest);
    });
  }
  if (members.files.empty()) return std::nullopt;
  group.root = members.files.front().root;
  group.carried = std::move(members.carried);
  for (Listed& file : members.files) {
    group.paths.push_back(std::move(file.path));
    group.sizes.push_back(file.size);
    group.versions.push_back(std::move(file.version));
    if (file.failure && !group.failure) group.failure = std::move(file.failure);
  }
  return group;
}

Result<> add_groups(const std::vector<Listed>& files, const SourceRequest& request,
                    std::vector<Group>& groups) {
  TB_TRY_ASSIGN(const GroupOfPath names, GroupOfPath::parse(request.group));
  std::map<std::string, Members> members;
  std::set<std::string> seen;
  for (const Listed& file : files) {
    if (!seen.insert(file.path).second) continue;
    const std::string relative = relative_path(file.path, file.root);
    std::optional<GroupOfPath::Found> found = names.find(file.path, relative);
    if (!found && request.ungrouped == "skip") continue;
    if (!found && request.ungrouped == "error")
      return fail(
          ErrorCode::Usage,
          fmt::format("{}: the regex '{}' does not match; --ungrouped skip leaves such files "
                      "out, --ungrouped alone makes each a group",
                      file.path, request.group));
    if (!found) found = GroupOfPath::Found{relative, {}};
    const auto [at, is_new] = members.try_emplace(found->name);
    if (is_new) at->second.carried = std::move(found->carried);
    at->second.files.push_back(file);
  }
  for (auto& [name, of] : members) {
    TB_TRY_ASSIGN(std::optional<Group> group, group_of(name, std::move(of), request));
    if (group) groups.push_back(*std::move(group));
  }
  return {};
}

Result<> check_group_names(std::vector<Group>& groups) {
  std::ranges::stable_sort(groups, {}, &Group::name);
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string& name = groups[i].name;
    if (name.size() > kLongestName)
      return fail(ErrorCode::Usage, fmt::format("the name of a group has more than {} bytes: {}...",
                                                kLongestName, name.substr(0, 60)));
    if (i > 0 && groups[i - 1].name == name)
      return fail(ErrorCode::Usage,
                  fmt::format("several groups are named '{}'; --group gives files of one name to "
                              "one group",
                              name));
  }
  return {};
}

}  // namespace

GroupOfPath::GroupOfPath() = default;
GroupOfPath::GroupOfPath(GroupOfPath&&) noexcept = default;
GroupOfPath& GroupOfPath::operator=(GroupOfPath&&) noexcept = default;
GroupOfPath::~GroupOfPath() = default;

Result<GroupOfPath> GroupOfPath::parse(const std::string& group) {
  GroupOfPath made;
  made.by_folder_ = group == "folder";
  if (group.empty() || group == "archive" || group == "folder") return made;
  RE2::Options options;
  options.set_log_errors(false);
  made.regex_ = std::make_unique<RE2>(group, options);
  if (!made.regex_->ok())
    return fail(ErrorCode::Usage, fmt::format("--group: {} in '{}'", made.regex_->error(), group));
  return made;
}

std::optional<GroupOfPath::Found> GroupOfPath::find(const std::string& path,
                                                    const std::string& relative) const {
  // An archive is one input.
  if (regex_ == nullptr) return Found{by_folder_ ? folder_or_dot(relative) : relative, {}};
  const auto count = static_cast<size_t>(regex_->NumberOfCapturingGroups()) + 1;
  std::vector<re2::StringPiece> parts(count);
  if (!regex_->Match(path, 0, path.size(), RE2::UNANCHORED, parts.data(), static_cast<int>(count)))
    return std::nullopt;
  Found found;
  for (const auto& [number, name] : regex_->CapturingGroupNames()) {
    const std::string text(parts[static_cast<size_t>(number)]);
    found.name += (found.carried.empty() ? "" : "/") + text;
    found.carried.emplace_back(name, text);
  }
  if (found.carried.empty()) found.name = std::string(parts[count > 1 ? 1 : 0]);
  return found;
}

Result<std::vector<Group>> list_groups(const SourceRequest& request, const HostFiles& files,
                                       std::vector<std::string>* without_files) {
  const std::string root = root_of_files(request.items);
  std::vector<Group> groups;
  std::vector<Listed> listed;
  for (const std::string& item : request.items) {
    std::error_code failed;
    const bool is_file = fs::is_regular_file(item, failed);
    if (is_file && item.ends_with(".parquet"))
      return tl::unexpected(needs_package("the fleet manifest is a Parquet file", item));
    if (is_file && item.ends_with(".jsonl")) {
      TB_TRY_ASSIGN(std::vector<Group> more, manifest_groups(item));
      std::ranges::move(more, std::back_inserter(groups));
    } else {
      const size_t before = listed.size();
      TB_TRY(add_files(item, root, files, listed));
      if (listed.size() == before && without_files != nullptr) without_files->push_back(item);
    }
  }
  TB_TRY(add_groups(listed, request, groups));
  TB_TRY(check_group_names(groups));
  return groups;
}

}  // namespace tracebraid::fleet
