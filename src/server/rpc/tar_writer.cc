#include "server/rpc/tar_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/descriptor.h"

namespace tracebraid::rpc {
namespace {

constexpr size_t kBlock = 512;
constexpr uint64_t kMostOctalSize = uint64_t{1} << 33;  // of 11 octal digits

Error io_error(const std::string& path) {
  return {ErrorCode::Io, fmt::format("{}: {}", path, std::strerror(errno))};
}

Result<> write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return tl::unexpected(io_error("archive"));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// The header of a regular file.
std::string header_of(std::string_view name, uint64_t size) {
  std::string header(kBlock, '\0');
  const auto put = [&](size_t at, std::string_view text) { header.replace(at, text.size(), text); };
  put(0, name.substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  if (size < kMostOctalSize) {
    put(124, fmt::format("{:011o}", size));
  } else {  // as GNU tar: a number of base 256
    header[124] = static_cast<char>(0x80);
    for (size_t i = 0; i < 8; ++i) header[135 - i] = static_cast<char>(size >> (8 * i));
  }
  put(136, "00000000000");
  put(148, "        ");  // the checksum counts as blanks
  put(156, "0");
  put(257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return header;
}

Result<> write_member(const std::filesystem::path& path, int to) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (!file || error) return tl::unexpected(io_error(path));
  TB_TRY(write_all(to, header_of(path.filename().string(), size)));
  std::string buffer(size_t{1} << 20, '\0');
  for (uint64_t left = size; left > 0;) {
    const ssize_t got = ::read(file.fd(), buffer.data(), std::min<uint64_t>(left, buffer.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return tl::unexpected(io_error(path));
    TB_TRY(write_all(to, std::string_view(buffer).substr(0, static_cast<size_t>(got))));
    left -= static_cast<uint64_t>(got);
  }
  return write_all(to, std::string((kBlock - size % kBlock) % kBlock, '\0'));
}

}  // namespace

Result<> write_tar(const std::string& folder, int to) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) TB_TRY(write_member(file, to));
  return write_all(to, std::string(2 * kBlock, '\0'));
}

}  // namespace tracebraid::rpc
