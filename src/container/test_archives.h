// Archives built byte by byte, for tests.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container/codec.h"
#include "container/members.h"

namespace tracebraid::test {

inline std::string le(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
  return text;
}

// Returns text that deflate cannot compress well and that does not repeat.
inline std::string noise(size_t size, uint64_t seed = 1) {
  std::string text;
  for (uint64_t x = seed * 0x9e3779b97f4a7c15; text.size() < size;
       x ^= x << 13, x ^= x >> 7, x ^= x << 17)
    text += static_cast<char>('a' + x % 23);
  return text;
}

// `window_bits` as for zlib: -15 raw deflate, 15 zlib, 31 gzip.
inline std::string zlib_pack(std::string_view bytes, int window_bits, int level = 6) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
inline std::string deflated(std::string_view bytes) { return zlib_pack(bytes, -15); }
inline std::string gzipped(std::string_view bytes, int level = 6) {
  return zlib_pack(bytes, 31, level);
}

inline std::string zstd_packed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

inline std::string xz_packed(std::string_view bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                    reinterpret_cast<uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

struct ZipMember {
  std::string name;
  std::string content;
  uint16_t method = 0;
  uint16_t version = 20;
  uint16_t flags = 0;
  bool zip64 = false;                // sizes are in the extra field
  bool descriptor = false;           // CRC and sizes follow the data
  bool signed_descriptor = true;     // with PK\7\8
  std::optional<uint32_t> crc = {};  // a wrong one

  std::string packed() const {
    if (method == 8) return deflated(content);
    if (method == 93) return zstd_packed(content);
    return method == 95 ? xz_packed(content) : content;
  }
};

struct ZipOptions {
  bool directory = true;
};

inline std::string zip_header(const ZipMember& member, const std::string& packed) {
  const uint32_t crc = member.crc.value_or(crc32_of(member.content));
  const bool later = member.descriptor;
  std::string extra;
  if (member.zip64)
    extra = le(1, 2) + le(16, 2) + le(later ? 0 : member.content.size(), 8) +
            le(later ? 0 : packed.size(), 8);
  const uint64_t size = member.zip64 ? 0xffffffff : later ? 0 : member.content.size();
  const uint64_t packed_size = member.zip64 ? 0xffffffff : later ? 0 : packed.size();
  const auto flags = static_cast<uint16_t>(member.flags | (later ? 8 : 0));
  return "PK\3\4" + le(member.version, 2) + le(flags, 2) + le(member.method, 2) + le(0, 4) +
         le(later ? 0 : crc, 4) + le(packed_size, 4) + le(size, 4) + le(member.name.size(), 2) +
         le(extra.size(), 2) + member.name + extra;
}

inline std::string zip_of(const std::vector<ZipMember>& members, const ZipOptions& options = {}) {
  std::string out;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.packed();
    const uint32_t crc = member.crc.value_or(crc32_of(member.content));
    const size_t at = out.size();
    out += zip_header(member, packed) + packed;
    if (member.descriptor) {
      const size_t wide = member.zip64 ? 8 : 4;
      if (member.signed_descriptor) out += "PK\7\10";
      out += le(crc, 4) + le(packed.size(), wide) + le(member.content.size(), wide);
    }
    directory += "PK\1\2" + le(20, 2) + le(member.version, 2) + le(0, 2) + le(member.method, 2) +
                 le(0, 4) + le(crc, 4) + le(packed.size(), 4) + le(member.content.size(), 4) +
                 le(member.name.size(), 2) + le(0, 12) + le(at, 4) + member.name;
  }
  if (!options.directory) return out;
  const size_t at = out.size();
  return out + directory + "PK\5\6" + le(0, 4) + le(members.size(), 2) + le(members.size(), 2) +
         le(directory.size(), 4) + le(at, 4) + le(0, 2);
}

struct TarMember {
  std::string name;
  std::string content;
  char type = '0';
  std::string prefix = {};
  std::string size_field = {};  // replaces the octal size
  std::string magic = std::string(
      "ustar\0"
      "00",
      8);
};

inline std::string octal(uint64_t value, size_t digits) {
  std::string text(digits, '0');
  for (size_t i = digits; i-- > 0; value /= 8) text[i] = static_cast<char>('0' + value % 8);
  return text;
}

inline std::string tar_block(const TarMember& member) {
  std::string header(512, '\0');
  header.replace(0, member.name.size(), member.name);
  header.replace(100, 8, "0000644 ");
  const std::string size =
      member.size_field.empty() ? octal(member.content.size(), 11) : member.size_field;
  header.replace(124, size.size(), size);
  header[156] = member.type;
  header.replace(257, member.magic.size(), member.magic);
  header.replace(345, member.prefix.size(), member.prefix);
  std::string data = member.content;
  data.resize((data.size() + 511) / 512 * 512, '\0');
  return header + data;
}

inline std::string tar_of(const std::vector<TarMember>& members) {
  std::string out;
  for (const TarMember& member : members) out += tar_block(member);
  return out + std::string(1024, '\0');
}

inline std::string pax(std::string_view key, std::string_view value) {
  size_t length = key.size() + value.size() + 3;
  while (std::to_string(length).size() + key.size() + value.size() + 3 != length) length++;
  return std::to_string(length) + " " + std::string(key) + "=" + std::string(value) + "\n";
}

// The bytes of a leaf that is read in small blocks, and its problem.
struct Leaf {
  std::string bytes;
  std::optional<std::string> problem = {};
};
inline Leaf read_leaf(const Member& member, size_t block = 1000) {
  Result<Input> input = member.open();
  if (!input) return {"", input.error().message};
  Leaf leaf;
  while (const std::optional<Block> next = input->next(block)) leaf.bytes += next->bytes;
  if (input->problem()) leaf.problem = input->problem()->message;
  return leaf;
}

inline std::vector<Member> members_of(std::string bytes, const ContainerLimits& limits = {},
                                      const HostFiles& files = {}) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  Progress progress;
  return open_bytes("in", *owner, owner, {.limits = limits, .files = files}, progress).value();
}

// Returns "parent:name:kind" for each row, with "-" for missing values.
inline std::vector<std::string> rows_of(const std::vector<Member>& members) {
  std::vector<std::string> rows;
  for (const Member& member : members)
    rows.push_back((member.parent ? std::to_string(*member.parent) : "-") + ":" +
                   member.name.value_or("-") + ":" + std::string(name_of(member.container)));
  return rows;
}

inline std::vector<std::string> problems_of(const Member& member) {
  std::vector<std::string> texts;
  for (const Error& problem : member.problems) texts.push_back(problem.message);
  return texts;
}

// A directory that is deleted after the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = ::testing::TempDir() + "/tracebraid.XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  // Creates missing parent directories.
  std::string write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::string path_;
};

}  // namespace tracebraid::test
