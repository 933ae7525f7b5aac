// Result<T>: a value, or the Error that says why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tracebraid {

enum class ErrorCode : uint8_t {
  NotFound,     // a file, table or clock that was named does not exist
  BadInput,     // the bytes are not what their header promised
  BadManifest,  // the manifest breaks one of its rules; always fatal
  Unsupported,  // well-formed, but not read yet
  Io,           // the operating system said no
  Limit,        // a configured limit was reached
  Sql,          // the statement could not be compiled or run
  Usage,        // the command line or an option makes no sense
  Cancelled,    // the caller asked to stop
};

struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;  // one phrase that names the thing; no full stop at the end

  // "truncated varint" within "a.zip/b.pb @ 4096" reads
  // "a.zip/b.pb @ 4096: truncated varint".
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

// Leave the function with the error, or go on.
#define TB_TRY(expr)                                                                              \
  do {                                                                                            \
    if (auto tb_result = (expr); !tb_result) return tl::unexpected(std::move(tb_result).error()); \
  } while (0)

// TB_TRY_ASSIGN(Header header, read_header(input)): declare, or leave.
#define TB_TRY_ASSIGN(declaration, expr) \
  TB_TRY_ASSIGN_(declaration, expr, TB_JOIN(tb_result_, __LINE__))
#define TB_TRY_ASSIGN_(declaration, expr, result)                \
  auto result = (expr);                                          \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = *std::move(result)
#define TB_JOIN(a, b) TB_JOIN_(a, b)
#define TB_JOIN_(a, b) a##b

}  // namespace tracebraid
