#include "format/gecko/ids.h"

#include <charconv>

namespace tracebraid::gecko {

std::optional<int64_t> Ids::number(const json::Value& value) {
  if (const std::optional<int64_t> whole = scanned_integer(value)) return whole;
  if (!value.has(json::Kind::String)) return std::nullopt;
  const std::string text = scanned_text(value);
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && stop == end && !text.empty())
    return number;
  const auto [at, is_new] = numbers_.try_emplace(text, next_);
  if (is_new) --next_;
  text_ = text;
  return at->second;
}

Owner owner_of(const JsonFields& thread, Ids& ids) {
  Owner owner;
  const std::optional<int64_t> pid = ids.number(thread["pid"]);
  owner.pid = pid.value_or(kNoId);
  owner.pid_text = ids.take_text();
  const std::optional<int64_t> tid = ids.number(thread["tid"]);
  owner.tid_text = ids.take_text();
  if (tid)
    owner.tid = *tid;
  else
    owner.tid = pid ? *pid : ids.unnamed();
  return owner;
}

}  // namespace tracebraid::gecko
