// TAR as POSIX defines it: ustar headers, and pax headers before entries that these cannot hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "container/archive_streams.h"

namespace tracebraid {
namespace {

constexpr size_t kTarBlock = 512;
constexpr size_t kMostName = 100, kMostPrefix = 155;
constexpr uint64_t kMostSize = (uint64_t{1} << 33) - 1;  // 11 octal digits

// Offsets and lengths of the fields of a ustar header.
struct Place {
  size_t at, length;
};
constexpr Place kName{0, kMostName}, kMode{100, 8}, kUid{108, 8}, kGid{116, 8}, kSize{124, 12},
    kModified{136, 12}, kChecksum{148, 8}, kMagic{257, 8}, kPrefix{345, kMostPrefix};
constexpr size_t kType = 156;

class HeaderBlock {
 public:
  HeaderBlock(char type, uint64_t size, int64_t modified) {
    put_octal(kMode, 0644);
    put_octal(kUid, 0);
    put_octal(kGid, 0);
    put_octal(kSize, std::min(size, kMostSize));
    put_octal(kModified, static_cast<uint64_t>(
                             std::clamp<int64_t>(modified, 0, static_cast<int64_t>(kMostSize))));
    put(kMagic, std::string_view("ustar\0"
                                 "00",
                                 8));
    bytes_[kType] = type;
  }
  void put_name(std::string_view prefix, std::string_view name) {
    put(kPrefix, prefix);
    put(kName, name);
  }
  // Returns the block. Requires: the last call.
  std::string_view finish() {
    std::memset(&bytes_[kChecksum.at], ' ', kChecksum.length);
    unsigned sum = 0;
    for (const char byte : bytes_) sum += static_cast<unsigned char>(byte);
    put(kChecksum, fmt::format("{:06o}", sum));
    bytes_[kChecksum.at + 6] = '\0';
    return {bytes_.data(), bytes_.size()};
  }

 private:
  void put(Place place, std::string_view text) {
    std::memcpy(&bytes_[place.at], text.data(), std::min(place.length, text.size()));
  }
  void put_octal(Place place, uint64_t number) {
    put(place, fmt::format("{:0{}o}", number, place.length - 1));
  }

  std::array<char, kTarBlock> bytes_{};
};

// Returns where a name is split into prefix and name at a slash; npos if that is not possible.
size_t split_of(std::string_view name) {
  const size_t first = name.size() > kMostName + 1 ? name.size() - kMostName - 1 : 0;
  const size_t at = name.find('/', first);
  return at == 0 || at > kMostPrefix || at + 1 == name.size() ? name.npos : at;
}

// Returns a record "LENGTH key=value\n" whose length counts itself.
std::string pax_record(std::string_view key, std::string_view value) {
  const size_t rest = key.size() + value.size() + 3;  // " ", "=", "\n"
  size_t length = rest + 1;
  while (fmt::formatted_size("{}", length) + rest != length)
    length = rest + fmt::formatted_size("{}", length);
  std::string record = fmt::format("{} {}=", length, key);
  record += value;
  record += '\n';
  return record;
}

class TarStream final : public ArchiveStream {
 public:
  explicit TarStream(NewFile& file) : file_(file) {}

  Result<> begin(const std::string& name, uint64_t size, int64_t modified) override {
    const bool fits = name.size() <= kMostName;
    const size_t split = fits ? name.npos : split_of(name);
    std::string records;
    if (!fits && split == name.npos) {
      if (!is_utf8_name(name)) records += pax_record("hdrcharset", "BINARY");
      records += pax_record("path", name);
    }
    if (size > kMostSize) records += pax_record("size", std::to_string(size));
    if (!records.empty()) {
      HeaderBlock header('x', records.size(), modified);
      header.put_name("", "PaxHeader");
      TB_TRY(file_.write(header.finish()));
      TB_TRY(file_.write(records));
      TB_TRY(pad(records.size()));
    }
    HeaderBlock header('0', size, modified);
    if (split != name.npos)
      header.put_name(std::string_view(name).substr(0, split),
                      std::string_view(name).substr(split + 1));
    else
      header.put_name("", name);  // its begin, if a pax header has it
    size_ = size;
    return file_.write(header.finish());
  }
  Result<> add(std::string_view bytes) override { return file_.write(bytes); }
  Result<> end() override { return pad(size_); }
  Result<> finish() override { return file_.write({kZeros.data(), kZeros.size()}); }

 private:
  Result<> pad(uint64_t size) {
    return file_.write(
        {kZeros.data(), static_cast<size_t>((kTarBlock - size % kTarBlock) % kTarBlock)});
  }

  static constexpr std::array<char, 2 * kTarBlock> kZeros{};
  NewFile& file_;
  uint64_t size_ = 0;  // of the entry
};

}  // namespace

bool is_utf8_name(std::string_view name) {
  for (size_t i = 0; i < name.size();) {
    const auto first = static_cast<unsigned char>(name[i]);
    const size_t length = first < 0x80   ? 1
                          : first < 0xC2 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 0;
    if (length == 0 || length > name.size() - i) return false;
    uint32_t point = length == 1 ? first : first & (0x7Fu >> length);
    for (size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(name[i + k]);
      if (next >> 6 != 2) return false;
      point = point << 6 | (next & 0x3Fu);
    }
    const bool is_too_long = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    if (is_too_long || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
    i += length;
  }
  return true;
}

std::unique_ptr<ArchiveStream> tar_stream(NewFile& file) {
  return std::make_unique<TarStream>(file);
}

}  // namespace tracebraid
