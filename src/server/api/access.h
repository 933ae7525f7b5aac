// Access: who may use the API (spec viewer 11.1).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "server/http/message.h"

namespace tracebraid::api {

// Returns 256 random bits as 64 hexadecimal digits. Error Io.
Result<std::string> random_token();

// Compares in a time that depends on the lengths only.
bool is_equal_secret(std::string_view given, std::string_view secret);

// Network thread only.
class Access {
 public:
  // `hosts` are the values of Host that are ours, with ports: "127.0.0.1:9440".
  Access(std::string token, std::string cookie, std::string code, uint16_t port,
         std::vector<std::string> hosts);

  // Returns the refusal of a request whose Host is not ours (DNS rebinding), or whose Origin is
  // another page's.
  std::optional<http::Response> refuse_foreign(const http::Request& request) const;
  // Returns the refusal of a request without the token or the cookie. Counts failures.
  std::optional<http::Response> refuse_stranger(const http::Request& request);
  // Returns the answer to a login with the token, or with the code, which works once.
  http::Response login(std::string_view token, std::string_view code);

 private:
  http::Response refuse();

  const std::string token_, cookie_, cookie_name_;
  std::string code_;
  const std::vector<std::string> hosts_;
  std::chrono::steady_clock::time_point code_ends_;
  std::chrono::steady_clock::time_point second_;  // of failures_
  unsigned failures_ = 0;
};

}  // namespace tracebraid::api
