// The boundary of the library: exceptions end here and become Errors.
//
// Functions of the library return errors as values. Allocations, threads that the system does not
// provide and TB_ASSERT throw; every function that a host calls runs its work in at_boundary().
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
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

// The first Error of code Internal of an object and of all that was made of it. An invariant does
// not hold any more, so that the object answers nothing from then on. Any thread may use it.
class BrokenInvariant {
 public:
  void set(const Error& error) noexcept;  // keeps the first
  std::optional<Error> find() const;

 private:
  std::atomic<bool> is_broken_{false};
  mutable std::mutex mutex_;  // guards error_
  std::optional<Error> error_;
};

// The same for a function of an object. Returns the Error of `broken` if there is one, and keeps
// there the Internal one of `work`.
template <class Work>
auto at_boundary(BrokenInvariant& broken, Work&& work) -> decltype(work()) {
  return at_boundary([&]() -> decltype(work()) {
    if (std::optional<Error> error = broken.find()) return tl::unexpected(*std::move(error));
    auto result = at_boundary(std::forward<Work>(work));
    if (!result && result.error().code == ErrorCode::Internal) broken.set(result.error());
    return result;
  });
}

}  // namespace tracebraid
