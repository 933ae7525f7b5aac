#include "base/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tracebraid {

Error temporary_file_error(const std::string& directory, int reason) {
  return {ErrorCode::Io, "cannot write a temporary file in " + directory + ": " +
                             std::strerror(reason) + "; set TMPDIR to a directory with room"};
}

Result<Descriptor> open_temporary_file(const std::string& directory) {
  Descriptor file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  // Some file systems do not support O_TMPFILE.
  std::string name = directory + "/tracebraid.XXXXXX";
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) return tl::unexpected(temporary_file_error(directory, errno));
  ::unlink(name.c_str());
  return file;
}

}  // namespace tracebraid
