#include "server/api/send_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/descriptor.h"
#include "server/api/problem.h"

namespace tracebraid::api {

std::string disposition(std::string_view name) {
  std::string plain, encoded;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    plain += is_plain ? c : '_';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain, encoded);
}

http::Response send_file(const std::string& path, std::string_view name) {
  const auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!*file)
    return problem({ErrorCode::Io, fmt::format("cannot read the file: {}", std::strerror(errno))});
  http::Response response{.type = "application/octet-stream",
                          .headers = {{"Content-Disposition", disposition(name)}}};
  response.stream = [file](http::BodyWriter& out) {
    std::string piece;
    for (;;) {
      piece.resize(size_t{256} << 10);
      const ssize_t got = ::read(file->fd(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got == 0;
      if (!out.write({piece.data(), static_cast<size_t>(got)})) return false;
    }
  };
  return response;
}

}  // namespace tracebraid::api
