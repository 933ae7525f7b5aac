// Result<T>: a value, or the Error that says why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tracebraid {

// The error codes of all front ends. The values are part of their interfaces and never change; 0
// means success there.
enum class ErrorCode : uint8_t {
  NotFound = 1,      // a named file, table or clock does not exist
  BadInput = 2,      // the bytes contradict their header
  BadManifest = 3,   // the manifest breaks a rule; always fatal
  Unsupported = 4,   // well-formed, but not supported yet
  Io = 5,            // the operating system reported a failure
  Limit = 6,         // a configured limit was reached
  Sql = 7,           // the statement could not be compiled or run
  Usage = 8,         // an argument or an option is invalid
  Cancelled = 9,     // the caller asked to stop
  Timeout = 10,      // a configured limit of time was reached
  NoMemory = 11,     // an allocation failed
  TypeChanged = 12,  // a row does not fit the type of its result column
  Internal = 13,     // an invariant is broken
};

struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;    // one phrase that names the thing; no full stop at the end
  std::string hint = {};  // what the user can do, a phrase; may be empty

  // Prefixes the place: "truncated varint" within "a.zip/b.pb @ 4096" reads "a.zip/b.pb @ 4096:
  // truncated varint".
  Error within(std::string_view where) && {
    message.insert(0, ": ").insert(0, where);
    return std::move(*this);
  }
};

template <class T = void>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::move(message)});
}

// Returns the error of `expr` from the function, if there is one.
#define TB_TRY(expr)                                                                              \
  do {                                                                                            \
    if (auto tb_result = (expr); !tb_result) return tl::unexpected(std::move(tb_result).error()); \
  } while (0)

// Declares a variable with the value, or returns the error: TB_TRY_ASSIGN(Header header,
// read_header(input)).
#define TB_TRY_ASSIGN(declaration, expr) \
  TB_TRY_ASSIGN_(declaration, expr, TB_JOIN(tb_result_, __LINE__))
#define TB_TRY_ASSIGN_(declaration, expr, result)                \
  auto result = (expr);                                          \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = *std::move(result)
#define TB_JOIN(a, b) TB_JOIN_(a, b)
#define TB_JOIN_(a, b) a##b

}  // namespace tracebraid
