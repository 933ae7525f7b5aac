// A TAR is a list of blocks of 512 bytes: a header, the data of the announced size, padding, the
// next header ... and two blocks of zeros.
//
//     0  name (100)      156  type            345  prefix (155, ustar only)
//   124  size (12)       257  magic (6), version (2)
//
// Types L and x announce data that describes the next entry.
#include "container/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tracebraid {
namespace {

using namespace std::string_view_literals;

constexpr size_t kBlock = 512;
constexpr std::string_view kPremature = "Premature end of TAR file (ERR:tp-corrupt)";
constexpr auto kUstar = "ustar\0"sv;
constexpr auto kGnu = "ustar  \0"sv;

// Returns a field up to its NUL.
std::string_view text_of(std::string_view field) { return field.substr(0, field.find('\0')); }

// Parses octal digits with leading spaces and a NUL or a space after them, or, with the top bit
// set, a big-endian binary number.
std::optional<uint64_t> size_of(std::string_view field) {
  uint64_t size = 0;
  if ((static_cast<uint8_t>(field[0]) & 0x80) != 0) {
    for (size_t i = 0; i < field.size(); ++i) {
      const uint64_t byte = static_cast<uint8_t>(field[i]) & (i == 0 ? 0x7f : 0xff);
      if (size >> 55 != 0) return std::nullopt;  // stays below 2^63
      size = size << 8 | byte;
    }
    return size;
  }
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), size, 8);
  const bool ends = stop == field.data() + field.size() || *stop == '\0' || *stop == ' ';
  if (error != std::errc() || !ends) return std::nullopt;
  return size;
}

// Properties of an entry from the headers before it.
struct Extras {
  std::optional<std::string> name;
  std::optional<uint64_t> size;
  bool sparse = false;  // holes are left out of the data
};

// Parses records "<length> <key>=<value>\n"; the length counts the whole record.
void take_pax(std::string_view records, Extras& extras) {
  while (!records.empty()) {
    size_t length = 0;
    const auto [stop, error] =
        std::from_chars(records.data(), records.data() + records.size(), length);
    const auto digits = static_cast<size_t>(stop - records.data());
    if (error != std::errc() || length > records.size() || length < digits + 2 || *stop != ' ')
      return;
    const std::string_view record = records.substr(digits + 1, length - digits - 2);
    records.remove_prefix(length);
    const size_t equals = std::min(record.find('='), record.size());
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(std::min(equals + 1, record.size()));
    if (key == "path") extras.name = value;
    if (key.starts_with("GNU.sparse.")) extras.sparse = true;
    uint64_t size = 0;
    if (key == "size" &&
        std::from_chars(value.data(), value.data() + value.size(), size).ec == std::errc())
      extras.size = size;
  }
}

class Walk {
 public:
  Walk(std::string_view archive, uint32_t max_entries)
      : archive_(archive), max_entries_(max_entries) {}

  TarListing run() && {
    while (step()) {
    }
    return std::move(listing_);
  }

 private:
  // Reads the header at at_ and its data. Returns false at the end.
  bool step() {
    if (archive_.size() - at_ < kBlock) return stop(kPremature);
    const std::string_view header = archive_.substr(at_, kBlock);
    at_ += kBlock;
    if (header.find_first_not_of('\0') == std::string_view::npos) {
      zero_blocks_++;
      return zero_blocks_ < 2;
    }
    zero_blocks_ = 0;
    return entry(header);
  }

  bool entry(std::string_view header) {
    const std::string_view magic = header.substr(257, 8);
    const bool is_gnu = magic == kGnu;
    if (!is_gnu && !magic.starts_with(kUstar)) return stop("Invalid magic value");
    if (!is_gnu && magic.substr(6) != "00")
      return stop(fmt::format("Invalid version: {}{}", magic[6], magic[7]));
    const std::string_view size_field = header.substr(124, 12);
    const std::optional<uint64_t> listed = size_of(size_field);
    if (!listed) return stop(fmt::format("Failed to parse size field: {}", text_of(size_field)));

    const char type = header[156];
    const bool describes_next = type == 'L' || type == 'K' || type == 'x' || type == 'g';
    const uint64_t size = describes_next ? *listed : extras_.size.value_or(*listed);
    const uint64_t there = std::min<uint64_t>(size, archive_.size() - at_);
    if (!take(header, type, is_gnu, there, size != 0)) return false;
    if (there < size) return stop(kPremature);
    const uint64_t padding = (kBlock - size % kBlock) % kBlock;
    at_ += size;
    if (padding > archive_.size() - at_) return stop(kPremature);
    at_ += padding;
    return true;
  }

  bool take(std::string_view header, char type, bool is_gnu, uint64_t size, bool has_data) {
    const std::string_view data = archive_.substr(at_, size);
    switch (type) {
      case 'L':
        extras_.name = text_of(data);
        return true;
      case 'x':
        take_pax(data, extras_);
        return true;
      case 'K':  // a long link
      case 'g':  // defaults for all entries; none of our fields can have one
        return true;
      default:
        break;
    }
    const Extras extras = std::exchange(extras_, {});
    const bool is_file = type == '0' || type == '\0';
    if (extras.sparse && is_file) return unsupported('S');
    if (!is_file) return type == '5' || !has_data || unsupported(type);
    std::string name = extras.name ? *extras.name : name_of_header(header, is_gnu);
    if (name.ends_with('/')) return true;  // a directory, before ustar had a type for it
    if (listing_.entries.size() == max_entries_) {
      listing_.too_many = true;
      return false;
    }
    listing_.entries.push_back({std::move(name), at_, size});
    return true;
  }

  static std::string name_of_header(std::string_view header, bool is_gnu) {
    const std::string_view name = text_of(header.substr(0, 100));
    const std::string_view prefix = is_gnu ? "" : text_of(header.substr(345, 155));
    return prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
  }

  bool unsupported(char type) {
    add_problem(ErrorCode::Unsupported,
                fmt::format("Unsupported file type: 0x{:02x}", static_cast<uint8_t>(type)));
    return true;
  }
  bool stop(std::string_view why) {
    add_problem(ErrorCode::BadInput, std::string(why));
    return false;
  }
  void add_problem(ErrorCode code, std::string message) {
    listing_.problems.push_back({code, std::move(message)});
  }

  std::string_view archive_;
  uint32_t max_entries_;
  uint64_t at_ = 0;
  int zero_blocks_ = 0;
  Extras extras_;
  TarListing listing_;
};

}  // namespace

bool is_tar(std::string_view head) {
  const std::string_view magic = head.size() < 257 ? "" : head.substr(257, 8);
  return magic.starts_with(kUstar) || magic == kGnu;
}

TarListing list_tar(std::string_view archive, uint32_t max_entries) {
  return Walk(archive, max_entries).run();
}

}  // namespace tracebraid
