#include "engine/identity.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>

#include "base/descriptor.h"
#include "container/source.h"

namespace tracebraid {
namespace {

constexpr uint64_t kSample = uint64_t{64} << 10;

class SampleDigest {
 public:
  SampleDigest() { XXH3_128bits_reset(&state_); }
  void bytes(std::string_view part) { XXH3_128bits_update(&state_, part.data(), part.size()); }
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  XXH3_state_t state_;
};

std::optional<FileIdentity> identity_of_file(const std::string& name, const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<uint64_t>(status.st_size);
  SampleDigest digest;
  std::string sample(kSample, '\0');
  for (const uint64_t at : {uint64_t{0}, std::max(kSample, size) - kSample}) {
    const ssize_t got = ::pread(file.fd(), sample.data(), sample.size(), static_cast<off_t>(at));
    if (got < 0) return std::nullopt;
    digest.bytes(std::string_view(sample).substr(0, static_cast<size_t>(got)));
  }
  digest.bytes(fmt::to_string(size));
  return FileIdentity{name, size, digest.text()};
}

}  // namespace

std::optional<TraceIdentity> identity_of(
    std::span<const std::string> paths, std::span<const NamedFile> named,
    const std::function<bool(const std::string&)>& is_left_out) {
  const Result<std::vector<NamedPath>> listed = list_files(paths);
  if (!listed) return std::nullopt;
  TraceIdentity identity;
  SampleDigest key;
  const auto add = [&](const std::string& name, const std::string& path) {
    if (is_left_out(path)) return true;
    std::optional<FileIdentity> file = identity_of_file(name, path);
    if (!file) return false;
    key.bytes(file->digest);
    identity.files.push_back(*std::move(file));
    return true;
  };
  for (const NamedPath& each : *listed)
    if (!add(each.name, each.path)) return std::nullopt;
  for (const NamedFile& each : named)
    if (!add(each.name, each.path)) return std::nullopt;
  if (identity.files.empty()) return std::nullopt;
  identity.key = key.text();
  return identity;
}

}  // namespace tracebraid
