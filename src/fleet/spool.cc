#include "fleet/spool.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/temporary_file.h"
#include "fleet/frames.h"

namespace tracebraid::fleet {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

Result<> read_at(int fd, uint64_t at, char* into, size_t size) {
  while (size > 0) {
    const ssize_t got = ::pread(fd, into, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail(ErrorCode::Io, std::string("cannot read rows of a group: ") +
                                     (got == 0 ? "the file was cut off" : std::strerror(errno)));
    at += static_cast<uint64_t>(got);
    into += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

Result<> take_frame(
    const FramePrefix& prefix, std::string_view rest,
    const std::function<Result<>(std::string_view head, std::string_view body)>& take) {
  return take(rest.substr(0, prefix.head), rest.substr(prefix.head));
}

Error cut_off() { return {ErrorCode::Io, "the rows of a group are cut off"}; }

}  // namespace

Result<> for_each_frame(
    int fd, uint64_t begin, uint64_t end,
    const std::function<Result<>(std::string_view head, std::string_view body)>& take) {
  std::string rest;
  while (begin < end) {
    char bytes[kPrefixBytes];
    if (end - begin < kPrefixBytes) return tl::unexpected(cut_off());
    TB_TRY(read_at(fd, begin, bytes, kPrefixBytes));
    const std::optional<FramePrefix> prefix = parse_prefix({bytes, kPrefixBytes});
    begin += kPrefixBytes;
    if (!prefix || prefix->head + prefix->body > end - begin) return tl::unexpected(cut_off());
    rest.resize(prefix->head + prefix->body);
    TB_TRY(read_at(fd, begin, rest.data(), rest.size()));
    begin += rest.size();
    TB_TRY(take_frame(*prefix, rest, take));
  }
  return {};
}

Result<> write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      return fail(ErrorCode::Io, "cannot write " + path + ": " + std::strerror(errno));
  }
  return {};
}

Result<> Spool::move_to_file() {
  if (!file_) {
    TB_TRY_ASSIGN(file_, open_temporary_file(folder_));
  }
  TB_TRY(write_all(file_.fd(), memory_, "a temporary file in " + folder_));
  memory_ = {};
  return {};
}

Result<> Spool::add(std::string_view bytes) {
  size_ += bytes.size();
  if (file_) return write_all(file_.fd(), bytes, "a temporary file in " + folder_);
  memory_ += bytes;
  return memory_.size() > most_in_memory_ ? move_to_file() : Result<>();
}

Result<> Spool::for_each_frame(
    const std::function<Result<>(std::string_view head, std::string_view body)>& take) const {
  if (file_) return fleet::for_each_frame(file_.fd(), 0, size_, take);
  for (std::string_view left = memory_; !left.empty();) {
    const std::optional<FramePrefix> prefix =
        left.size() < kPrefixBytes ? std::nullopt : parse_prefix(left);
    if (!prefix || prefix->head + prefix->body > left.size() - kPrefixBytes)
      return tl::unexpected(cut_off());
    left.remove_prefix(kPrefixBytes);
    TB_TRY(take_frame(*prefix, left.substr(0, prefix->head + prefix->body), take));
    left.remove_prefix(prefix->head + prefix->body);
  }
  return {};
}

Result<> Spool::for_each_block(const std::function<Result<>(std::string_view bytes)>& take) const {
  if (!file_) return take(memory_);
  std::string block;
  for (uint64_t at = 0; at < size_; at += block.size()) {
    block.resize(std::min<uint64_t>(size_ - at, kBlockBytes));
    TB_TRY(read_at(file_.fd(), at, block.data(), block.size()));
    TB_TRY(take(block));
  }
  return {};
}

}  // namespace tracebraid::fleet
