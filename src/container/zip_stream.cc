// ZIP (APPNOTE 6.3): deflated entries whose sizes follow their bytes, because the archive may be a
// pipe, and the central directory. ZIP64 where a size or an offset needs it.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "container/archive_streams.h"

namespace tracebraid {
namespace {

constexpr uint64_t kMost32 = 0xFFFFFFFF;
// Entries from this size on have sizes of 64 bits: deflate adds less than 1 in 1,000.
constexpr uint64_t kLarge = kMost32 - (uint64_t{1} << 24);
constexpr uint16_t kSizesFollow = 1 << 3, kNameIsUtf8 = 1 << 11;
constexpr uint16_t kDeflated = 8;
constexpr uint16_t kVersion = 20, kVersionOfZip64 = 45;
constexpr uint32_t kUnix = 3 << 8, kFileMode = 0100644;

// Bytes of a header, little-endian.
class Header {
 public:
  Header& u16(uint64_t number) { return add(number, 2); }
  Header& u32(uint64_t number) { return add(number, 4); }
  Header& u64(uint64_t number) { return add(number, 8); }
  Header& text(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

 private:
  Header& add(uint64_t number, size_t count) {
    for (size_t i = 0; i < count; ++i) bytes_ += static_cast<char>(number >> 8 * i & 0xFF);
    return *this;
  }
  std::string bytes_;
};

// Date and time as MS-DOS has them, in UTC: two seconds are the unit, 1980 is the first year.
uint32_t dos_time(int64_t modified) {
  const std::time_t seconds = std::clamp<int64_t>(modified, 315532800, 4354819199);
  std::tm time{};
  ::gmtime_r(&seconds, &time);
  const auto date =
      static_cast<uint32_t>((time.tm_year - 80) << 9 | (time.tm_mon + 1) << 5 | time.tm_mday);
  return date << 16 |
         static_cast<uint32_t>(time.tm_hour << 11 | time.tm_min << 5 | time.tm_sec / 2);
}

// The extended timestamp of Info-ZIP: the time in seconds since 1970.
Header timestamp(int64_t modified) {
  Header extra;
  extra.u16(0x5455).u16(5).text("\1").u32(
      static_cast<uint64_t>(std::clamp<int64_t>(modified, 0, INT32_MAX)));
  return extra;
}

struct Entry {
  std::string name;
  uint64_t offset = 0, size = 0, packed = 0;
  uint32_t crc = 0;
  int64_t modified = 0;
  bool is_large = false;  // its sizes have 64 bits

  uint16_t flags() const {
    return static_cast<uint16_t>(kSizesFollow | (is_utf8_name(name) ? kNameIsUtf8 : 0));
  }
};

class Deflater {
 public:
  Deflater()
      : works_(::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                              Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflater() {
    if (works_) ::deflateEnd(&stream_);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  bool works() const { return works_; }  // false without memory
  void reset() { ::deflateReset(&stream_); }
  // Packs bytes, all of them if `is_last`, and writes them. Returns how many were written.
  Result<uint64_t> pack(std::string_view bytes, bool is_last, NewFile& to) {
    uint64_t written = 0;
    do {
      const auto given = static_cast<uInt>(std::min<size_t>(bytes.size(), kMostInput));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = given;
      bytes.remove_prefix(given);
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(out_.get());
        stream_.avail_out = kOutput;
        ::deflate(&stream_, is_last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        const size_t made = kOutput - stream_.avail_out;
        TB_TRY(to.write({out_.get(), made}));
        written += made;
      } while (stream_.avail_out == 0);
    } while (!bytes.empty());
    return written;
  }

 private:
  static constexpr size_t kMostInput = size_t{1} << 30, kOutput = size_t{1} << 18;
  std::unique_ptr<char[]> out_ = std::make_unique_for_overwrite<char[]>(kOutput);
  z_stream stream_{};
  bool works_;
};

class ZipStream final : public ArchiveStream {
 public:
  explicit ZipStream(NewFile& file) : file_(file) {}
  bool works() const { return deflater_.works(); }

  Result<> begin(const std::string& name, uint64_t size, int64_t modified) override {
    if (name.size() > 0xFFFF)
      return fail(ErrorCode::Usage, fmt::format("{}: the name of an entry of a ZIP has at most "
                                                "65,535 bytes",
                                                name));
    Entry& entry = entries_.emplace_back();
    entry.name = name;
    entry.offset = written_;
    entry.modified = modified;
    entry.is_large = size >= kLarge;
    Header extra = timestamp(modified);
    if (entry.is_large) extra.u16(1).u16(16).u64(0).u64(0);
    const uint64_t unknown = entry.is_large ? kMost32 : 0;
    Header header;
    header.u32(0x04034B50).u16(entry.is_large ? kVersionOfZip64 : kVersion).u16(entry.flags());
    header.u16(kDeflated).u32(dos_time(modified)).u32(0).u32(unknown).u32(unknown);
    header.u16(name.size()).u16(extra.size()).text(name).text(extra.bytes());
    deflater_.reset();
    return write(header);
  }
  Result<> add(std::string_view bytes) override {
    Entry& entry = entries_.back();
    entry.size += bytes.size();
    entry.crc = static_cast<uint32_t>(
        ::crc32_z(entry.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    return pack(bytes, false);
  }
  Result<> end() override {
    TB_TRY(pack({}, true));
    const Entry& entry = entries_.back();
    Header descriptor;
    descriptor.u32(0x08074B50).u32(entry.crc);
    if (entry.is_large)
      descriptor.u64(entry.packed).u64(entry.size);
    else
      descriptor.u32(entry.packed).u32(entry.size);
    return write(descriptor);
  }
  Result<> finish() override {
    const uint64_t begin = written_;
    for (const Entry& entry : entries_) TB_TRY(write_directory_entry(entry));
    const uint64_t size = written_ - begin;
    const size_t count = entries_.size();
    if (begin >= kMost32 || size >= kMost32 || count >= 0xFFFF) {
      const uint64_t at = written_;
      Header zip64;
      zip64.u32(0x06064B50).u64(44).u16(kUnix | kVersionOfZip64).u16(kVersionOfZip64).u32(0).u32(0);
      zip64.u64(count).u64(count).u64(size).u64(begin);
      zip64.u32(0x07064B50).u32(0).u64(at).u32(1);
      TB_TRY(write(zip64));
    }
    const auto few = std::min<uint64_t>(count, 0xFFFF);
    Header last;
    last.u32(0x06054B50).u16(0).u16(0).u16(few).u16(few).u32(std::min(size, kMost32));
    last.u32(std::min(begin, kMost32)).u16(0);
    return write(last);
  }

 private:
  Result<> write_directory_entry(const Entry& entry) {
    Header zip64;  // the values that do not fit into 32 bits, in this order
    for (const uint64_t value : {entry.size, entry.packed, entry.offset})
      if (value >= kMost32) zip64.u64(value);
    const bool has_zip64 = zip64.size() != 0;
    Header extra = timestamp(entry.modified);
    if (has_zip64) extra.u16(1).u16(zip64.size()).text(zip64.bytes());
    const uint16_t version = entry.is_large || has_zip64 ? kVersionOfZip64 : kVersion;
    Header header;
    header.u32(0x02014B50).u16(kUnix | version).u16(version).u16(entry.flags()).u16(kDeflated);
    header.u32(dos_time(entry.modified)).u32(entry.crc).u32(std::min(entry.packed, kMost32));
    header.u32(std::min(entry.size, kMost32)).u16(entry.name.size()).u16(extra.size()).u16(0);
    header.u16(0).u16(0).u32(kFileMode << 16).u32(std::min(entry.offset, kMost32));
    header.text(entry.name).text(extra.bytes());
    return write(header);
  }
  Result<> write(const Header& header) {
    written_ += header.size();
    return file_.write(header.bytes());
  }
  Result<> pack(std::string_view bytes, bool is_last) {
    TB_TRY_ASSIGN(const uint64_t packed, deflater_.pack(bytes, is_last, file_));
    entries_.back().packed += packed;
    written_ += packed;
    return {};
  }

  NewFile& file_;
  Deflater deflater_;
  std::vector<Entry> entries_;
  uint64_t written_ = 0;
};

}  // namespace

Result<std::unique_ptr<ArchiveStream>> zip_stream(NewFile& file) {
  auto made = std::make_unique<ZipStream>(file);
  if (!made->works()) return fail(ErrorCode::NoMemory, "out of memory");
  return std::unique_ptr<ArchiveStream>(std::move(made));
}

}  // namespace tracebraid
