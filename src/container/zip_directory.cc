// A ZIP ends with directory entries, with ZIP64 a record and a locator of the record, then the end
// record.
//
//   PK\1\2  20 packed size  24 size  28 name, extra, comment lengths  42 offset
//   PK\6\6  48 offset of the directory (64 bits)
//   PK\6\7   8 offset of PK\6\6
//   PK\5\6  16 offset of the directory   20 length of the comment behind it
#include "container/zip_directory.h"

#include <algorithm>

#include "container/little_endian.h"

namespace tracebraid {
namespace {

using namespace std::string_view_literals;

constexpr uint32_t kEntrySignature = 0x02014b50;
constexpr uint32_t kEnd64Signature = 0x06064b50;
constexpr uint32_t kLocatorSignature = 0x07064b50;
constexpr uint64_t kIn64 = 0xffffffff;
constexpr size_t kEntryBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kEnd64Bytes = 56;
constexpr size_t kLocatorBytes = 20;
constexpr size_t kLongestComment = 0xffff;

bool has(std::string_view archive, uint64_t at, uint64_t size, uint32_t signature) {
  return at <= archive.size() && archive.size() - at >= size &&
         load_le<uint32_t>(archive, at) == signature;
}

std::optional<uint64_t> directory_offset(std::string_view archive) {
  if (archive.size() < kEndBytes) return std::nullopt;
  const size_t tail = std::min(archive.size(), kEndBytes + kLongestComment);
  const size_t in_tail = archive.substr(archive.size() - tail).rfind("PK\5\6"sv);
  if (in_tail == std::string_view::npos || tail - in_tail < kEndBytes) return std::nullopt;
  const size_t end = archive.size() - tail + in_tail;
  const uint64_t offset = load_le<uint32_t>(archive, end + 16);
  if (offset != kIn64) return offset;
  if (end < kLocatorBytes || !has(archive, end - kLocatorBytes, kLocatorBytes, kLocatorSignature))
    return std::nullopt;
  const auto record = load_le<uint64_t>(archive, end - kLocatorBytes + 8);
  if (!has(archive, record, kEnd64Bytes, kEnd64Signature)) return std::nullopt;
  return load_le<uint64_t>(archive, record + 48);
}

}  // namespace

bool take_zip64(std::string_view extra, uint64_t* size, uint64_t* packed_size, uint64_t* header) {
  std::string_view numbers;
  while (extra.size() >= 4) {
    const auto id = load_le<uint16_t>(extra, 0);
    const size_t length = load_le<uint16_t>(extra, 2);
    if (id == 1) numbers = extra.substr(4, length);
    extra.remove_prefix(std::min(4 + length, extra.size()));
  }
  for (uint64_t* number : {size, packed_size, header}) {
    if (number == nullptr || *number != kIn64) continue;
    if (numbers.size() < 8) return false;
    *number = load_le<uint64_t>(numbers, 0);
    numbers.remove_prefix(8);
  }
  return true;
}

std::vector<ZipDirectoryEntry> read_zip_directory(std::string_view archive) {
  std::vector<ZipDirectoryEntry> entries;
  uint64_t at = directory_offset(archive).value_or(archive.size());
  while (has(archive, at, kEntryBytes, kEntrySignature)) {
    const size_t name = load_le<uint16_t>(archive, at + 28);
    const size_t extra = load_le<uint16_t>(archive, at + 30);
    const size_t comment = load_le<uint16_t>(archive, at + 32);
    if (archive.size() - at < kEntryBytes + name + extra + comment) break;
    ZipDirectoryEntry entry{
        load_le<uint32_t>(archive, at + 42), load_le<uint32_t>(archive, at + 20),
        load_le<uint32_t>(archive, at + 24), load_le<uint32_t>(archive, at + 16)};
    if (take_zip64(archive.substr(at + kEntryBytes + name, extra), &entry.size, &entry.packed_size,
                   &entry.header))
      entries.push_back(entry);
    at += kEntryBytes + name + extra + comment;
  }
  std::ranges::sort(entries, {}, &ZipDirectoryEntry::header);
  return entries;
}

}  // namespace tracebraid
