#include "server/http/message.h"

namespace tracebraid::http {

std::string_view Request::header(std::string_view name) const {
  for (const Header& each : headers)
    if (each.name == name) return each.value;
  return {};
}

bool Request::has(std::string_view name) const {
  for (const Header& each : headers)
    if (each.name == name) return true;
  return false;
}

}  // namespace tracebraid::http
