#include "generate/output.h"

#include <cerrno>
#include <cstring>

namespace tracebraid::generate {

Result<Output> Output::create(const std::string& path) {
  Output output;
  output.path_ = path;
  output.file_.reset(std::fopen(path.c_str(), "wb"));
  if (!output.file_)
    return fail(ErrorCode::Io, "cannot create " + path + ": " + std::strerror(errno));
  output.buffer_.reserve(kFull + kFull / 4);
  return output;
}

void Output::flush() {
  failed_ |= std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size();
  flushed_ += buffer_.size();
  buffer_.clear();
}

Result<> Output::close() {
  flush();
  failed_ |= std::fclose(file_.release()) != 0;
  if (failed_) return fail(ErrorCode::Io, "cannot write " + path_ + ": " + std::strerror(errno));
  return {};
}

}  // namespace tracebraid::generate
