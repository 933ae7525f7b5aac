#include "fleet/packed.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/mapped_file.h"
#include "base/new_file.h"
#include "base/progress.h"
#include "container/sniff.h"
#include "container/spool.h"
#include "container/tar.h"
#include "container/unpack.h"
#include "container/zip.h"
#include "fleet/group.h"

namespace tracebraid::fleet {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kEndings = {".zip",    ".tar",    ".tgz",
                                                      ".tar.gz", ".tar.xz", ".tar.zst"};
constexpr size_t kCopiedBytes = size_t{1} << 20;

bool is_archive_name(std::string_view name) {
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

// A member: where its bytes are, or why it cannot be read.
struct Entry {
  std::string name;
  int64_t size = -1;
  Packed packed;
  bool is_stored = true;
  std::optional<Error> problem;
};

// An archive with its members, by name.
struct Opened {
  std::shared_ptr<Budget> budget;
  std::vector<Entry> entries;
  bool is_damaged = false;
};

std::optional<Codec> codec_of(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::Gzip:
      return Codec::Gzip;
    case ContainerKind::Zstd:
      return Codec::Zstd;
    case ContainerKind::Xz:
      return Codec::Xz;
    default:
      return std::nullopt;
  }
}

void list_zip_entries(const Bytes& bytes, Opened& opened) {
  const MeasureEntry measure = [&](Codec codec, uint64_t offset) {
    return measure_frame({.bytes = bytes.part(offset), .codec = codec},
                         Meter(opened.budget, bytes.view.size()));
  };
  const ZipListing listing = list_zip(bytes.view, opened.budget->limits.max_members, measure);
  opened.is_damaged = listing.too_many || !listing.problems.empty();
  for (const ZipEntry& entry : listing.entries) {
    if (entry.name.ends_with('/')) continue;
    Entry& made = opened.entries.emplace_back();
    made.name = entry.name;
    made.size = entry.size ? static_cast<int64_t>(*entry.size) : -1;
    made.is_stored = !entry.codec;
    made.packed = {.bytes = bytes.part(entry.offset, entry.packed_size),
                   .codec = entry.codec.value_or(Codec::Deflate),
                   .size = entry.size};
    made.problem = entry.unsupported;
  }
}

void list_tar_entries(const Bytes& bytes, Opened& opened) {
  const TarListing listing = list_tar(bytes.view, opened.budget->limits.max_members);
  opened.is_damaged = listing.too_many || !listing.problems.empty();
  for (const TarEntry& entry : listing.entries) {
    Entry& made = opened.entries.emplace_back();
    made.name = entry.name;
    made.size = static_cast<int64_t>(entry.size);
    made.packed.bytes = bytes.part(entry.offset, entry.size);
  }
}

// Returns the bytes without compression, which are kept in a temporary file if they are many.
Result<Bytes> unpacked(Bytes bytes, Opened& opened) {
  const auto codec = codec_of(sniff_container(bytes.view.substr(0, kSniffBytes)));
  if (!codec) return bytes;
  const Meter meter(opened.budget, bytes.view.size());
  Input input(unpack({.bytes = bytes, .codec = *codec, .many_frames = true}, meter));
  Progress progress;
  TB_TRY_ASSIGN(Spooled spooled, spool(input, opened.budget, progress));
  if (spooled.problem) opened.is_damaged = true;
  return std::move(spooled.bytes);
}

Result<Opened> open_archive(const std::string& path, const HostFiles& files) {
  TB_TRY_ASSIGN(MappedFile mapped, MappedFile::open(path, files));
  const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
  ContainerOptions options;
  options.files = files;
  Opened opened{.budget = std::make_shared<Budget>(options)};
  TB_TRY_ASSIGN(const Bytes bytes, unpacked({owner->bytes(), owner, owner}, opened));
  const std::string_view head = bytes.view.substr(0, kSniffBytes);
  if (sniff_container(head) == ContainerKind::Zip)
    list_zip_entries(bytes, opened);
  else if (sniff_container(head) == ContainerKind::Tar)
    list_tar_entries(bytes, opened);
  std::ranges::stable_sort(opened.entries, {}, &Entry::name);
  return opened;
}

Result<> copy_stored(std::string_view bytes, NewFile& file) { return file.write(bytes); }

Result<> copy_unpacked(const Entry& entry, const std::shared_ptr<Budget>& budget, NewFile& file) {
  const Decoder decode = unpack(entry.packed, Meter(budget, entry.packed.bytes.view.size()));
  std::string block(kCopiedBytes, '\0');
  for (;;) {
    TB_TRY_ASSIGN(const size_t size, decode(block.data(), block.size()));
    if (size == 0) return {};
    TB_TRY(file.write(std::string_view(block).substr(0, size)));
  }
}

}  // namespace

std::vector<PackedFile> archives_in(const std::string& archive, const HostFiles& files) {
  if (!is_archive_name(archive)) return {};
  const Result<Opened> opened = open_archive(archive, files);
  if (!opened || opened->is_damaged) return {};
  std::vector<PackedFile> found;
  for (const Entry& entry : opened->entries) {
    if (!is_archive_name(entry.name)) return {};
    found.push_back({entry.name, entry.size});
  }
  return found;
}

std::optional<std::pair<std::string, std::string>> archive_of(const std::string& path) {
  std::error_code failed;
  if (fs::exists(path, failed)) return std::nullopt;
  std::string outer = folder_of(path);
  while (!outer.empty() && outer != "/" && !fs::exists(outer, failed)) outer = folder_of(outer);
  if (outer.empty() || !fs::is_regular_file(outer, failed)) return std::nullopt;
  return std::pair(outer, path.substr(outer.size() + 1));
}

Result<std::string> copy_member(const std::string& path, const std::string& folder,
                                const HostFiles& files) {
  const auto found = archive_of(path);
  if (!found) return fail(ErrorCode::NotFound, path + ": no such file");
  TB_TRY_ASSIGN(const Opened opened, open_archive(found->first, files));
  const auto entry = std::ranges::find(opened.entries, found->second, &Entry::name);
  if (entry == opened.entries.end())
    return fail(ErrorCode::NotFound, path + ": no such file in the archive");
  if (entry->problem) return tl::unexpected(Error(*entry->problem).within(path));
  std::error_code failed;
  fs::create_directories(folder, failed);
  const std::string target = folder + "/" + fs::path(entry->name).filename().string();
  TB_TRY_ASSIGN(NewFile file, NewFile::create(target, files));
  const Result<> copied = entry->is_stored ? copy_stored(entry->packed.bytes.view, file)
                                           : copy_unpacked(*entry, opened.budget, file);
  if (!copied) {
    Error error = copied.error();
    return tl::unexpected(error.code == ErrorCode::Io ? error : std::move(error).within(path));
  }
  TB_TRY(file.finish());
  return target;
}

}  // namespace tracebraid::fleet
