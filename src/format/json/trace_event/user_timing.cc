#include "format/json/trace_event/user_timing.h"

#include <algorithm>
#include <string>

#include "base/base64.h"

namespace tracebraid::json {
namespace {

// Returns the longest base64 text after a slash that extends to the end of the text.
std::string_view base64_tail(std::string_view text) {
  size_t begin = text.size();
  for (int padding = 0; padding < 2 && begin > 0 && text[begin - 1] == '='; ++padding) --begin;
  size_t digits = begin;
  while (digits > 0 && is_base64_digit(text[digits - 1])) --digits;
  // A slash is a digit, too: the base64 begins after the first slash in range.
  const size_t slash = text.find('/', digits);
  if (slash == std::string_view::npos || slash + 1 >= begin) return {};
  return text.substr(slash + 1);
}

}  // namespace

std::optional<UserTiming> user_timing_of(std::string_view category, std::string_view name) {
  if (category != "blink.user_timing") return std::nullopt;
  for (size_t begin = 0, at = 0; at < name.size(); ++at) {
    if (name[at] != ':' && name[at] != '/') continue;
    if (name[at] == ':' && at > begin) {
      UserTiming timing{name.substr(begin, at - begin), name.substr(at + 1), {}};
      timing.tail = base64_tail(timing.title);
      return timing;
    }
    begin = at + 1;
  }
  return std::nullopt;
}

uint32_t write_user_timing(Chunk& chunk, const UserTiming& timing) {
  EventSink& sink = chunk.sink;
  JsonTiming row;
  std::string_view title = timing.title;
  const std::optional<std::string> json =
      timing.tail.empty() ? std::nullopt : from_base64(timing.tail);
  Dom dom;
  Repairs ignored;
  if (json && parse_dom(*json, {0, chunk.depth_limit}, ignored, dom) == Parse::Ok &&
      dom.is(Kind::Object)) {
    title.remove_suffix(timing.tail.size() + 1);
    sink.open_args();
    chunk.args.add(dom, chunk.args.root("args"));
    row.args = sink.close_args();
  }
  row.group = sink.string(timing.group);
  row.title = sink.string(title);
  std::vector<JsonTiming>& timings = sink.batch().json.timings;
  timings.push_back(row);
  return static_cast<uint32_t>(timings.size() - 1);
}

}  // namespace tracebraid::json
