#include "event/arg_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "json/text.h"

namespace tracebraid {

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) { return c == '.' || c == '['; });
}

void append_member(std::string& path, std::string_view name) {
  if (is_plain_name(name)) {
    if (!path.empty()) path += '.';
    path += name;
    return;
  }
  path += "[\"";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ') {
      fmt::format_to(std::back_inserter(path), "\\u{:04x}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') path += '\\';
    path += c;
  }
  path += "\"]";
}

void append_element(std::string& path, uint64_t index) {
  fmt::format_to(std::back_inserter(path), "[{}]", index);
}

std::optional<ArgStep> ArgSteps::next() {
  if (at_ >= path_.size() || malformed_) return std::nullopt;
  ArgStep step;
  step.begin = at_;
  if (path_[at_] == '[') {
    if (path_.substr(at_).starts_with("[\"")) return quoted(step);
    const char* const end = path_.data() + path_.size();
    uint64_t index = 0;
    const auto [stop, error] = std::from_chars(path_.data() + at_ + 1, end, index);
    malformed_ = error != std::errc() || stop == end || *stop != ']';
    if (malformed_) return std::nullopt;
    step.index = index;
    step.end = at_ = static_cast<size_t>(stop + 1 - path_.data());
    return step;
  }
  if (path_[at_] == '.') ++at_;
  const size_t end = std::min(path_.find_first_of(".[", at_), path_.size());
  step.name = path_.substr(at_, end - at_);
  step.end = at_ = end;
  return step;
}

std::optional<ArgStep> ArgSteps::quoted(ArgStep step) {
  json::StringToken token;
  const char* const end = path_.data() + path_.size();
  const char* const stop = json::scan_string(path_.data() + at_ + 2, end, token);
  malformed_ = stop == nullptr || stop == end || *stop != ']';
  if (malformed_) return std::nullopt;
  name_.clear();
  step.name = json::text_of(token, name_);
  step.end = at_ = static_cast<size_t>(stop + 1 - path_.data());
  return step;
}

}  // namespace tracebraid
