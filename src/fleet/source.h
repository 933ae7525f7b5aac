// Sources: lists the files of a fleet, and forms the groups that are merged onto one timeline.
// Opens no trace.
//
// Input: folders, files, globs, archives of archives, fleet manifests. Output: groups by name.
// Called by the command `fleet`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/host_files.h"
#include "base/result.h"
#include "engine/options.h"
#include "fleet/group.h"

namespace re2 {
class RE2;
}

namespace tracebraid::fleet {

struct SourceRequest {
  std::vector<std::string> items;
  std::string group;                // a regex, "folder", "archive"; empty: each file is a group
  std::string ungrouped = "error";  // error, skip, alone
  std::string manifest_pattern;     // path of merge manifests, with {folder} and {group}
};

// How the path of a file names its group.
class GroupOfPath {
 public:
  // Error Usage: the regex is malformed.
  static Result<GroupOfPath> parse(const std::string& group);
  GroupOfPath(GroupOfPath&&) noexcept;
  GroupOfPath& operator=(GroupOfPath&&) noexcept;
  ~GroupOfPath();

  struct Found {
    std::string name;
    std::vector<std::pair<std::string, std::string>> carried;
  };
  // Returns nothing if the regex does not match. `relative` is the path below the source.
  std::optional<Found> find(const std::string& path, const std::string& relative) const;

 private:
  GroupOfPath();
  bool by_folder_ = false;
  std::unique_ptr<re2::RE2> regex_;
};

// Returns the paths that match a glob, sorted: '*', '?' and sets within a component, '**' for
// folders of any depth. Names that begin with a dot match only a dot.
std::vector<std::string> matching_paths(const std::string& pattern);
bool is_glob(std::string_view path);

// Returns the groups by name. Adds items that have no files, such as a glob that matches none, to
// `without_files` if it is not null. Errors: NotFound, BadManifest, Unsupported, Usage.
Result<std::vector<Group>> list_groups(const SourceRequest& request, const HostFiles& files,
                                       std::vector<std::string>* without_files = nullptr);

// Returns the groups of a fleet manifest: a JSON object a line with `path` or `paths`, `group`,
// `manifest`, and columns to carry along. Paths are relative to the manifest.
Result<std::vector<Group>> manifest_groups(const std::string& path);

// Leaves out the groups for which a condition is not true: SQL over `_group`, `_trace`, `_size`,
// and what the groups carry as `_NAME`. Error Sql.
Result<> pick_groups(const std::string& condition, std::vector<Group>& groups);

}  // namespace tracebraid::fleet
