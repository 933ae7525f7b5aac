#include "base/boundary.h"

#include <cxxabi.h>

#include <exception>
#include <new>
#include <system_error>

#include "base/assert.h"

namespace tracebraid {

Error error_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::NoMemory, "out of memory"};  // short enough to need no allocation
  } catch (const InternalError& error) {
    return {ErrorCode::Internal, error.what()};
  } catch (const std::system_error& error) {
    // EAGAIN comes from std::thread.
    if (error.code() == std::errc::resource_unavailable_try_again)
      return {ErrorCode::Io, "cannot start a thread: " + error.code().message()};
    return {ErrorCode::Io, error.what()};
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::exception& error) {
    return {ErrorCode::Internal, std::string("internal error: ") + error.what()};
  } catch (...) {
    return {ErrorCode::Internal, "internal error: an unknown exception"};
  }
}

void BrokenInvariant::set(const Error& error) noexcept {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  try {
    error_ = error;
  } catch (const std::bad_alloc&) {
    error_ = Error{ErrorCode::Internal, "internal error"};  // short enough to need no allocation
  }
  is_broken_.store(true, std::memory_order_release);
}

std::optional<Error> BrokenInvariant::find() const {
  if (!is_broken_.load(std::memory_order_acquire)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace tracebraid
