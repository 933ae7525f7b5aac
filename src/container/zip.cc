// A ZIP is a list of local headers, each followed by its data, then the central
// directory.
//
//   PK\3\4  4 needed version   6 flags   8 method   14 CRC   18 packed size
//          22 size   26 length of name   28 length of extra field, both behind it
//
// With flag 8 the CRC and sizes follow the data instead, in a data descriptor:
// [PK\7\8] CRC, packed size, size, the sizes of 32 or 64 bits.
#include "container/zip.h"

#include <fmt/format.h>

#include <algorithm>

#include "container/little_endian.h"
#include "container/zip_directory.h"

namespace tracebraid {
namespace {

using namespace std::string_view_literals;

constexpr uint32_t kHeaderSignature = 0x04034b50;
constexpr uint32_t kDescriptorSignature = 0x08074b50;
constexpr size_t kHeaderBytes = 30;
constexpr std::string_view kPremature = "Premature end of ZIP file (ERR:tp-corrupt)";

constexpr uint16_t kDescriptorFlag = 0x0008;
// Encrypted, patch data, strong encryption, masked headers.
constexpr uint16_t kUnsupportedFlags = 0x0001 | 0x0020 | 0x0040 | 0x2000;
constexpr uint16_t kZip64Version = 45;
constexpr uint16_t kNewMethodsVersion = 63;

// Returns whether the signature may follow the last entry: the directory, its ZIP64 end, its end,
// or data about the archive.
bool ends_entries(uint32_t signature) {
  return signature == 0x02014b50 || signature == 0x06064b50 || signature == 0x06054b50 ||
         signature == 0x08064b50;
}

enum class Method : uint16_t { Store = 0, Deflate = 8, Zstd = 93, Xz = 95 };

struct Header {
  uint16_t version, flags;
  Method method;
  uint32_t crc;
  uint64_t packed_size, size;
  std::string_view name;
  uint64_t data;  // offset
};

bool is_new(Method method) { return method == Method::Zstd || method == Method::Xz; }

std::optional<Codec> codec_of(Method method) {
  switch (method) {
    case Method::Deflate:
      return Codec::Deflate;
    case Method::Zstd:
      return Codec::Zstd;
    case Method::Xz:
      return Codec::Xz;
    case Method::Store:
      break;
  }
  return std::nullopt;
}

// Error texts contain the offset after the fixed part of the header.
std::optional<Error> why_unsupported(const Header& header, uint64_t at, bool size_unknown) {
  const uint16_t newest = is_new(header.method) ? kNewMethodsVersion : kZip64Version;
  const bool known = header.method == Method::Store || codec_of(header.method).has_value();
  const bool endless = header.method == Method::Store && size_unknown;
  if ((header.version & 0xff) > newest || (header.flags & kUnsupportedFlags) != 0 || endless)
    return Error{ErrorCode::Unsupported,
                 fmt::format("Unsupported zip features at offset 0x{:x}. version={:x}, flags={:x}",
                             at + kHeaderBytes, header.version, header.flags)};
  if (!known)
    return Error{ErrorCode::Unsupported,
                 fmt::format("Unsupported compression type at offset 0x{:x}. type={:x}. Only "
                             "deflate and no compression are supported.",
                             at + kHeaderBytes, static_cast<uint16_t>(header.method))};
  return std::nullopt;
}

// Each entry of unknown size may require a scan of all following bytes.
constexpr int kMostUnmeasured = 8;

struct Extent {
  uint64_t packed_size, size;
  uint32_t crc;
};

class Walk {
 public:
  Walk(std::string_view archive, uint32_t max_entries, const MeasureEntry& measure)
      : archive_(archive), max_entries_(max_entries), measure_(measure) {}

  ZipListing run() && {
    while (step()) {
    }
    return std::move(listing_);
  }

 private:
  // Reads the local header at at_ and its data. Returns false at the end.
  bool step() {
    if (archive_.size() - at_ < 4) return stop(kPremature);
    const auto signature = load_le<uint32_t>(archive_, at_);
    if (ends_entries(signature)) return false;
    if (signature != kHeaderSignature) {
      stop(fmt::format("Invalid zip header at offset 0x{:x} (ERR:tp-corrupt)", at_));
      return resume_behind(at_);
    }
    const std::optional<Header> header = read_header();
    if (!header) return stop(kPremature);
    if (listing_.entries.size() == max_entries_) {
      listing_.too_many = true;
      return false;
    }
    return entry(*header);
  }

  std::optional<Header> read_header() const {
    const std::string_view bytes = archive_.substr(at_);
    if (bytes.size() < kHeaderBytes) return std::nullopt;
    const size_t name_size = load_le<uint16_t>(bytes, 26);
    const size_t extra_size = load_le<uint16_t>(bytes, 28);
    if (bytes.size() - kHeaderBytes < name_size + extra_size) return std::nullopt;
    Header header{load_le<uint16_t>(bytes, 4),
                  load_le<uint16_t>(bytes, 6),
                  static_cast<Method>(load_le<uint16_t>(bytes, 8)),
                  load_le<uint32_t>(bytes, 14),
                  load_le<uint32_t>(bytes, 18),
                  load_le<uint32_t>(bytes, 22),
                  bytes.substr(kHeaderBytes, name_size),
                  at_ + kHeaderBytes + name_size + extra_size};
    // The numbers of the header apply without the extra field.
    take_zip64(bytes.substr(kHeaderBytes + name_size, extra_size), &header.size,
               &header.packed_size, nullptr);
    return header;
  }

  bool entry(const Header& header) {
    const bool described = (header.flags & kDescriptorFlag) != 0;
    const Extent listed{header.packed_size, header.size, header.crc};
    const std::optional<Extent> extent = described ? described_extent(header) : listed;
    ZipEntry entry{.name = header.name,
                   .offset = header.data,
                   .packed_size = 0,
                   .size = {},
                   .codec = codec_of(header.method),
                   .crc = {},
                   .unsupported = why_unsupported(header, at_, !extent)};
    const bool whole = extent && extent->packed_size <= archive_.size() - header.data;
    if (whole) {
      entry.packed_size = extent->packed_size;
      entry.size = extent->size;
      entry.crc = extent->crc;
      at_ = header.data + entry.packed_size;
      if (described) at_ += descriptor_size(at_, *extent).value_or(0);
    } else if (extent) {
      stop(kPremature);
    } else {
      stop(fmt::format("No end of the zip entry at offset 0x{:x} (ERR:tp-corrupt)", at_));
    }
    // A damaged entry ends where the next known entry begins, so that no two entries share bytes.
    const bool resumed = whole || resume_behind(header.data);
    if (!whole) entry.packed_size = (resumed ? at_ : archive_.size()) - header.data;
    listing_.entries.push_back(std::move(entry));
    return resumed;
  }

  // Returns sizes and CRC of an entry whose local header refers to a descriptor.
  std::optional<Extent> described_extent(const Header& header) {
    if (header.packed_size != 0)
      if (const auto found = extent_if_described(header, {header.packed_size, header.size, 0}))
        return found;
    const auto listed = std::ranges::lower_bound(directory(), at_, {}, &ZipDirectoryEntry::header);
    if (listed != directory().end() && listed->header == at_) {
      const Extent extent{listed->packed_size, listed->size, listed->crc};
      if (extent.packed_size <= archive_.size() - header.data &&
          descriptor_size(header.data + extent.packed_size, extent))
        return extent;
    }
    const std::optional<Codec> codec = codec_of(header.method);
    if (!codec || (header.flags & kUnsupportedFlags) != 0) return std::nullopt;
    if (unmeasured_ == kMostUnmeasured) return std::nullopt;
    const Result<FrameExtent> measured = measure_(*codec, header.data);
    if (!measured) unmeasured_++;
    if (!measured) return std::nullopt;
    return extent_if_described(header, {measured->packed, measured->unpacked, measured->crc})
        .value_or(Extent{measured->packed, measured->unpacked, measured->crc});
  }

  // Returns the extent with the descriptor's CRC, if a descriptor with the same sizes follows.
  std::optional<Extent> extent_if_described(const Header& header, Extent extent) const {
    if (extent.packed_size > archive_.size() - header.data) return std::nullopt;
    const uint64_t end = header.data + extent.packed_size;
    if (!descriptor_size(end, extent)) return std::nullopt;
    const bool is_signed =
        archive_.size() - end >= 16 && load_le<uint32_t>(archive_, end) == kDescriptorSignature;
    extent.crc = load_le<uint32_t>(archive_, end + (is_signed ? 4 : 0));
    return extent;
  }

  // Returns the length of the data descriptor at `at`, if one with the sizes of `extent` is there.
  std::optional<uint64_t> descriptor_size(uint64_t at, const Extent& extent) const {
    const std::string_view bytes = archive_.substr(at);
    for (const size_t lead : {size_t{8}, size_t{4}}) {  // with a signature, or without
      if (lead == 8 && (bytes.size() < 4 || load_le<uint32_t>(bytes, 0) != kDescriptorSignature))
        continue;
      if (bytes.size() >= lead + 16 && load_le<uint64_t>(bytes, lead) == extent.packed_size &&
          load_le<uint64_t>(bytes, lead + 8) == extent.size)
        return lead + 16;
      if (bytes.size() >= lead + 8 && load_le<uint32_t>(bytes, lead) == extent.packed_size &&
          load_le<uint32_t>(bytes, lead + 4) == extent.size)
        return lead + 8;
    }
    return std::nullopt;
  }

  // Continues at the next header that the directory lists.
  bool resume_behind(uint64_t offset) {
    const auto next = std::ranges::upper_bound(directory(), offset, {}, &ZipDirectoryEntry::header);
    if (next == directory().end() || next->header > archive_.size() - kHeaderBytes ||
        load_le<uint32_t>(archive_, next->header) != kHeaderSignature)
      return false;
    at_ = next->header;
    return true;
  }

  const std::vector<ZipDirectoryEntry>& directory() {
    if (!directory_) directory_ = read_zip_directory(archive_);
    return *directory_;
  }

  bool stop(std::string_view why) {
    listing_.problems.push_back({ErrorCode::BadInput, std::string(why)});
    return false;
  }

  std::string_view archive_;
  uint32_t max_entries_;
  const MeasureEntry& measure_;
  uint64_t at_ = 0;
  int unmeasured_ = 0;
  std::optional<std::vector<ZipDirectoryEntry>> directory_;
  ZipListing listing_;
};

}  // namespace

bool is_zip(std::string_view head) { return head.starts_with("PK\3\4"sv); }

ZipListing list_zip(std::string_view archive, uint32_t max_entries, const MeasureEntry& measure) {
  return Walk(archive, max_entries, measure).run();
}

}  // namespace tracebraid
