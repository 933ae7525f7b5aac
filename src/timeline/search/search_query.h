// SearchQuery: the text of a search, parsed (spec viewer 6.9).
//
// In: "draw frame", "re:^draw", "name=draw dur>1ms process=app". Out: conditions. Called by
// timeline/search/search.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace tracebraid::timeline {

// Matches texts that contain a text without regard to the case of ASCII letters, or a regular
// expression. Any thread may use it.
class TextMatcher {
 public:
  // `text` is "re:EXPRESSION" or a plain text. Error Usage for a malformed expression.
  static Result<TextMatcher> create(std::string_view text);
  bool matches(std::string_view text) const;

 private:
  std::string lowered_;
  std::shared_ptr<const re2::RE2> expression_;  // null: plain
};

struct SearchQuery {
  std::optional<TextMatcher> text;  // of a name, category, arg, message ...
  std::optional<TextMatcher> name, category;
  std::optional<TextMatcher> context;  // in which a slice began: "TYPE ID"
  struct ArgCondition {
    std::string key;
    TextMatcher value;
  };
  std::vector<ArgCondition> args;
  std::optional<TextMatcher> machine, process, thread, track;
  int64_t least_dur = 0, most_dur = INT64_MAX;  // ns, inclusive
  bool has_dur = false;

  // Whether hits may be of threads, processes and counters, which only have a name.
  bool allows_tracks() const {
    return text && !name && !category && !context && args.empty() && !has_dur;
  }
};

// Error Usage names the term that is malformed.
Result<SearchQuery> parse_search(std::string_view text);

}  // namespace tracebraid::timeline
