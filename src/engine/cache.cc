#include "engine/cache.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/file_bytes.h"
#include "container/source.h"

namespace tracebraid {
namespace {

class Digest {
 public:
  Digest() { XXH3_64bits_reset(&state_); }
  void bytes(std::string_view bytes) {
    number(bytes.size());
    part(bytes);
  }
  // Adds bytes whose number is added after them.
  void part(std::string_view bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  void number(uint64_t value) { XXH3_64bits_update(&state_, &value, sizeof value); }
  // 0 means that no key is known.
  ContentKey key() const { return std::max<ContentKey>(XXH3_64bits_digest(&state_), 1); }

 private:
  XXH3_state_t state_;
};

bool is_plain_file(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

uint64_t total_size(std::span<const std::string> paths) {
  uint64_t total = 0;
  for (const std::string& path : paths) {
    std::error_code failed;
    const uintmax_t size = std::filesystem::file_size(path, failed);
    if (!failed) total += size;
  }
  return total;
}

Result<> add_file(const std::string& path, Digest& digest, Progress& progress) {
  uint64_t size = 0;
  TB_TRY(for_each_block(path, [&](std::string_view block) -> Result<> {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    progress.advance(block.size());
    digest.part(block);
    size += block.size();
    return {};
  }));
  digest.number(size);
  return {};
}

void add_options(const MergeOptions& options, Digest& digest) {
  const auto choice = [](const auto& value) {
    return value ? static_cast<uint64_t>(*value) + 1 : 0;
  };
  digest.number((options.strict ? 1 : 0) + (options.strict_all ? 2 : 0));
  digest.number(options.lenient_ends ? 1 : 0);
  digest.number(options.drop_negative ? 1 : 0);
  digest.number(options.skip_unknown ? 1 : 0);
  digest.number(choice(options.clock_model));
  digest.number(choice(options.join_flows));
  digest.number(options.align ? options.align->kinds : ~uint64_t{0});
  digest.number(options.align && !options.align->places ? 1 : 0);
  digest.number(options.sync.fit_line ? 1 : 0);
  digest.number(options.sync.same_domain ? 1 : 0);
  digest.number(options.sync.must_be_linked ? 1 : 0);
  digest.number(options.limits.max_member_bytes);
  digest.number(options.limits.max_total_bytes);
  digest.number(options.limits.max_ratio);
  digest.number(options.limits.max_members);
  digest.number(options.limits.max_depth);
  digest.number(static_cast<uint64_t>(options.read.max_json_depth));
  digest.number(options.read.ftrace_raw ? 1 : 0);
  for (const std::string& set : options.read.proto_descriptors) digest.bytes(set);
}

}  // namespace

std::string cache_path(std::span<const std::string> inputs, const std::string& folder,
                       ContentKey key) {
  return folder.empty() ? inputs.front() + ".braid" : fmt::format("{}/{:016x}.braid", folder, key);
}

Result<std::optional<ContentKey>> content_key(std::span<const std::string> inputs,
                                              const MergeOptions& options, std::string_view program,
                                              Progress& progress) {
  if (inputs.empty() || !std::ranges::all_of(inputs, is_plain_file)) return std::nullopt;
  Digest digest;
  digest.bytes(program);
  progress.begin("looking for the cached trace", total_size(inputs));
  TB_TRY_ASSIGN(const std::vector<NamedPath> files, list_files(inputs));
  for (const NamedPath& file : files) {
    digest.bytes(file.name);
    TB_TRY(add_file(file.path, digest, progress));
  }
  if (!options.manifest_path.empty()) TB_TRY(add_file(options.manifest_path, digest, progress));
  add_options(options, digest);
  return digest.key();
}

}  // namespace tracebraid
