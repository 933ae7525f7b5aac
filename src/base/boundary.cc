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
