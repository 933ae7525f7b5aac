#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "fleet/source.h"

namespace tracebraid::fleet {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

// Returns the names in a folder, sorted; none if it cannot be read.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, failed), end; !failed && at != end;
       at.increment(failed))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

// Expands the components of a pattern one by one.
class Expansion {
 public:
  explicit Expansion(const std::string& pattern) {
    if (pattern.starts_with('/')) base_ = "/";
    for (size_t at = 0; at <= pattern.size();) {
      const size_t slash = std::min(pattern.find('/', at), pattern.size());
      if (slash > at) parts_.push_back(pattern.substr(at, slash - at));
      at = slash + 1;
    }
  }

  std::vector<std::string> run() {
    expand(base_, 0);
    return {found_.begin(), found_.end()};
  }

 private:
  void expand(const std::string& path, size_t part) {
    if (part == parts_.size()) {
      if (!path.empty()) found_.insert(path);
    } else if (parts_[part] == "**") {
      expand_deep(path, part, 0);
    } else if (!is_glob(parts_[part])) {
      const std::string next = joined(path, parts_[part]);
      std::error_code failed;
      if (fs::exists(fs::symlink_status(next, failed))) expand(next, part + 1);
    } else {
      for (const std::string& name : names_in(path))
        if (::fnmatch(parts_[part].c_str(), name.c_str(), FNM_NOESCAPE | FNM_PERIOD) == 0)
          expand(joined(path, name), part + 1);
    }
  }

  // Matches '**' with no folder, and with folders below.
  void expand_deep(const std::string& path, size_t part, unsigned depth) {
    constexpr unsigned kMostDepth = 200;  // links may form circles
    expand(path, part + 1);
    if (depth == kMostDepth) return;
    const bool is_last = part + 1 == parts_.size();
    for (const std::string& name : names_in(path)) {
      if (name.starts_with('.')) continue;
      const std::string next = joined(path, name);
      std::error_code failed;
      if (fs::is_directory(next, failed))
        expand_deep(next, part, depth + 1);
      else if (is_last)
        found_.insert(next);
    }
  }

  std::string base_;
  std::vector<std::string> parts_;
  std::set<std::string> found_;
};

}  // namespace

bool is_glob(std::string_view path) { return path.find_first_of("*?[") != path.npos; }

std::vector<std::string> matching_paths(const std::string& pattern) {
  return Expansion(pattern).run();
}

}  // namespace tracebraid::fleet
