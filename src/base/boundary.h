// The boundary of the library: exceptions end here and become Errors.
//
// Functions of the library return errors as values. Allocations, threads that the system does not
// provide and TB_ASSERT throw; every function that a host calls runs its work in at_boundary().
#pragma once

#include <utility>

#include "base/result.h"

namespace tracebraid {

// Returns the Error for the exception that is being handled: NoMemory for std::bad_alloc, Internal
// for InternalError and unknown exceptions, Io for std::system_error. Allocates nothing for
// NoMemory. Requires: called from a catch block. Rethrows the unwinding of pthread_cancel().
Error error_of_exception();

// Returns what `work` returns, a Result, or the Error for the exception that it throws.
template <class Work>
auto at_boundary(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    return tl::unexpected(error_of_exception());
  }
}

}  // namespace tracebraid
