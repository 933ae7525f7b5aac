// Answers that report errors: application/problem+json (spec viewer 3.2).
#pragma once

#include <string_view>

#include "base/result.h"
#include "server/http/message.h"

namespace tracebraid::api {

// The stable `code` and the status of an Error (spec library 2.1).
struct ProblemCode {
  std::string_view code;
  unsigned status;
};
ProblemCode problem_code(ErrorCode code);

// Returns the document {"type","title","status","detail","code","where"?}.
std::string problem_json(ProblemCode code, std::string_view detail);
std::string problem_json(const Error& error);

http::Response problem(ProblemCode code, std::string_view detail);
http::Response problem(const Error& error);

inline constexpr ProblemCode kBadRequest{"bad_request", 400}, kUnauthorized{"unauthorized", 401},
    kForbidden{"forbidden", 403}, kNotFound{"not_found", 404}, kNotAllowed{"not_allowed", 405},
    kNotAcceptable{"not_acceptable", 406}, kConflict{"conflict", 409}, kGone{"gone", 410},
    kTooLarge{"too_large", 413}, kUnsupportedType{"unsupported_media_type", 415},
    kRateLimited{"rate_limited", 429}, kLimit{"limit", 507};

}  // namespace tracebraid::api
