#include "fleet/journal.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/read_text.h"
#include "engine/rows.h"
#include "fleet/json.h"

namespace tracebraid::fleet {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path, int reason) {
  return {ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(reason))};
}

Result<Descriptor> open_to_append(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file) return tl::unexpected(cannot_write(path, errno));
  return file;
}

Result<> truncate(const Descriptor& file, uint64_t size, const std::string& path) {
  if (::ftruncate(file.fd(), static_cast<off_t>(size)) == 0) return {};
  return tl::unexpected(cannot_write(path, errno));
}

std::string text_json(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string file_state(const std::string& path) {
  struct stat status = {};
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  return fmt::format("[{},{}]", text_json(absolute_path(path)),
                     is_there ? std::to_string(status.st_mtim.tv_sec * int64_t{1'000'000'000} +
                                               status.st_mtim.tv_nsec)
                              : "null");
}

}  // namespace

std::string state_of(const Group& group) {
  std::string state = "[", sizes = "[", versions = "[";
  for (const std::string& path : group.paths) state += file_state(path) + ",";
  if (!group.manifest.empty()) state += file_state(group.manifest) + ",";
  for (const int64_t size : group.sizes) sizes += std::to_string(size) + ",";
  bool has_versions = false;
  for (const std::string& version : group.versions) {
    versions += text_json(version) + ",";
    has_versions |= !version.empty();
  }
  if (sizes.back() == ',') sizes.pop_back();
  if (versions.back() == ',') versions.pop_back();
  state += sizes + "]" + (has_versions ? "," + versions + "]" : "") + "]";
  return fmt::format("{:016x}", XXH3_64bits(state.data(), state.size()));
}

Result<Journal> Journal::open(const std::string& path, std::string_view asked,
                              const std::vector<Group>& groups, bool resume) {
  Journal journal;
  journal.folder_ = path + ".resume";
  std::error_code failed;
  fs::create_directories(journal.folder_, failed);
  if (failed) return tl::unexpected(cannot_write(journal.folder_, failed.value()));
  TB_TRY_ASSIGN(journal.lines_, open_to_append(journal.folder_ + "/journal"));
  if (::flock(journal.lines_.fd(), LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorCode::Usage, fmt::format("another run writes {}", path));
  TB_TRY_ASSIGN(journal.rows_, open_to_append(journal.folder_ + "/rows"));
  for (const Group& group : groups) journal.digests_[group.name] = state_of(group);
  TB_TRY(journal.begin(fmt::format("{{\"asked\":{}}}\n", asked), resume));
  return journal;
}

// Cuts off what a killed run wrote last.
Result<> Journal::begin(const std::string& head, bool resume) {
  const std::string path = folder_ + "/journal";
  std::string text;
  if (resume) {
    TB_TRY_ASSIGN(text, read_text(path));
    text.erase(text.rfind('\n') + 1);
  }
  if (!text.empty() && !text.starts_with(head))
    return fail(ErrorCode::Usage,
                fmt::format("{} is of another statement, other options or another version; without "
                            "--resume the run begins anew",
                            folder_));
  if (text.empty()) {
    TB_TRY(truncate(lines_, 0, path));
    TB_TRY(write_all(lines_.fd(), head, path));
  } else {
    TB_TRY(truncate(lines_, text.size(), path));
    TB_TRY(read_lines(std::string_view(text).substr(head.size())));
  }
  return truncate(rows_, size_, folder_ + "/rows");
}

Result<> Journal::read_lines(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const Result<JsonDocument> document = JsonDocument::parse(line);
    const Json entry = document ? document->root() : Json();
    const std::optional<int64_t> begin = entry.member("begin").integer();
    const std::optional<int64_t> end = entry.member("end").integer();
    const std::optional<std::string> name = entry.member("group").text();
    if (!begin || !end || !name || *begin < 0 || *end < *begin)
      return fail(ErrorCode::Io, fmt::format("{}/journal is damaged; without --resume the run "
                                             "begins anew",
                                             folder_));
    size_ = std::max(size_, static_cast<uint64_t>(*end));
    const auto digest = digests_.find(*name);
    if (digest != digests_.end() && entry.member("digest").text() == digest->second)
      ended_[*name] = {static_cast<uint64_t>(*begin), static_cast<uint64_t>(*end),
                       entry.member("facts").plain()};
  }
  return {};
}

Result<> Journal::add(const Group& group, const Spool& rows, std::string_view facts) {
  const std::string path = folder_ + "/rows";
  const uint64_t begin = size_;
  if (const Result<> kept = rows.for_each_block(
          [&](std::string_view bytes) { return write_all(rows_.fd(), bytes, path); });
      !kept) {
    TB_TRY(truncate(rows_, begin, path));
    return kept;
  }
  size_ = begin + rows.size();
  TB_TRY(write_all(
      lines_.fd(),
      fmt::format("{{\"group\":{},\"digest\":\"{}\",\"begin\":{},\"end\":{},\"facts\":{}}}\n",
                  text_json(group.name), digests_.at(group.name), begin, size_, facts),
      folder_ + "/journal"));
  ended_[group.name] = {begin, size_, std::string(facts)};
  return {};
}

Result<> Journal::for_each_frame(
    const Group& group,
    const std::function<Result<>(std::string_view head, std::string_view body)>& take) const {
  const Entry& entry = ended_.at(group.name);
  return fleet::for_each_frame(rows_.fd(), entry.begin, entry.end, take);
}

Result<> Journal::remove() {
  std::error_code failed;
  fs::remove_all(folder_, failed);
  if (failed) return tl::unexpected(cannot_write(folder_, failed.value()));
  return {};
}

}  // namespace tracebraid::fleet
