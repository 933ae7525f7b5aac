// Folders of the server: GET /files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/roots.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostEntries = 10'000;  // a page

struct Entry {
  std::string name;
  bool is_folder;
  int64_t size, modified_ns;
};

// Returns regular files and folders, without those that begin with a dot, folders first.
std::vector<Entry> entries_of(Descriptor folder) {
  std::vector<Entry> entries;
  DIR* const stream = ::fdopendir(::dup(folder.fd()));
  if (stream == nullptr) return entries;
  while (const dirent* const entry = ::readdir(stream)) {
    struct stat status{};
    if (entry->d_name[0] == '.' ||
        ::fstatat(folder.fd(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) continue;
    entries.push_back({entry->d_name, S_ISDIR(status.st_mode), status.st_size,
                       status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec});
  }
  ::closedir(stream);
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return entries;
}

void add_roots(JsonText& json, const Api& api) {
  json.open_array("roots");
  for (const Root& root : api.roots) json.open_object().add("name", root.name).close_object();
  json.close_array();
}

http::Response get_files(Api& api, const Call& call) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  add_roots(json, api);
  const std::string* const name = call.find("root");
  if (name == nullptr) return json_response(std::move(json.close_object()).finish());
  const Root* const root = find_root(api, *name);
  if (root == nullptr) return not_found("root", *name);
  const std::string path = call.find("path") == nullptr ? std::string() : *call.find("path");
  Result<Descriptor> folder = open_below(*root, path);
  if (!folder && folder.error().code == ErrorCode::Unsupported)
    return problem(kForbidden, folder.error().message);
  if (!folder) return problem(folder.error());
  const std::vector<Entry> entries = entries_of(*std::move(folder));
  const std::optional<int64_t> offset =
      call.find("offset") == nullptr ? 0 : parse_decimal(*call.find("offset"));
  if (!offset || *offset < 0) return problem(kBadRequest, "offset: must be a number");
  const size_t begin = std::min(static_cast<size_t>(*offset), entries.size());
  const size_t end = std::min(begin + kMostEntries, entries.size());
  json.add("root", *name).add("path", path).add("offset", begin).add("total", entries.size());
  json.open_array("entries");
  for (size_t i = begin; i < end; ++i) {
    json.open_object().add("name", entries[i].name);
    json.add("kind", entries[i].is_folder ? "folder" : "file");
    json.add("size", std::to_string(entries[i].size))
        .add("modified_ns", std::to_string(entries[i].modified_ns));
    json.close_object();
  }
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

}  // namespace

std::vector<Route> file_routes() {
  return {
      {.method = "GET",
       .path = "/files",
       .about = "the roots, and the entries of a folder below one",
       .answer = get_files,
       .on = TaskClass::Search,
       .parameters = {{"root", "name of a root; without it only the roots are listed"},
                      {"path", "a folder below the root"},
                      {"offset", "number of the first entry"}},
       .schema =
           R"({"type":"object","required":["roots"],"properties":{"roots":{"type":"array","items":{"type":"object"}},"root":{"type":"string"},"path":{"type":"string"},"offset":{"type":"integer"},"total":{"type":"integer"},"entries":{"type":"array","items":{"type":"object","required":["name","kind","size","modified_ns"]}}}})"}};
}

}  // namespace tracebraid::api
