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

}  // namespace tracebraid
