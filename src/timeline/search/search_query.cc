#include "timeline/search/search_query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/words.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostText = 4096;

// Takes the next word of a text: up to a blank outside of double quotes, which are dropped.
std::string take_word(std::string_view& text) {
  std::string word;
  bool is_quoted = false;
  size_t at = 0;
  for (; at < text.size() && (is_quoted || text[at] != ' '); ++at) {
    if (text[at] == '"')
      is_quoted = !is_quoted;
    else
      word += text[at];
  }
  text.remove_prefix(at);
  return word;
}

// Parses "1.5ms"; a number without a unit is ns.
Result<int64_t> parse_duration(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},     {"ns", 1},  {"us", 1e3},
                                                            {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}};
  const auto* const of =
      std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || of == std::end(kUnits) || !(std::abs(number * of->second) < 9e18))
    return fail(ErrorCode::Usage,
                fmt::format("dur: '{}' is no duration, such as 1.5ms or 20us", text));
  return static_cast<int64_t>(number * of->second);
}

Result<> add_duration(std::string_view term, SearchQuery& query) {
  const char sign = term[3];
  const bool with_equal = term.size() > 4 && term[4] == '=';
  TB_TRY_ASSIGN(const int64_t value, parse_duration(term.substr(with_equal ? 5 : 4)));
  query.has_dur = true;
  if (sign == '=') query.least_dur = query.most_dur = value;
  if (sign == '>') query.least_dur = with_equal ? value : value + 1;
  if (sign == '<') query.most_dur = with_equal ? value : value - 1;
  return {};
}

// Returns whether the word is a term, after adding it.
Result<bool> add_term(const std::string& word, SearchQuery& query) {
  const std::string_view view = word;
  if (view.starts_with("dur>") || view.starts_with("dur<") || view.starts_with("dur=")) {
    TB_TRY(add_duration(view, query));
    return true;
  }
  const size_t equal = view.find('=');
  if (equal == view.npos) return false;
  const std::string_view key = view.substr(0, equal), value = view.substr(equal + 1);
  const std::pair<std::string_view, std::optional<TextMatcher>*> kTerms[] = {
      {"name", &query.name},       {"cat", &query.category},  {"machine", &query.machine},
      {"process", &query.process}, {"thread", &query.thread}, {"track", &query.track},
      {"context", &query.context}};
  for (const auto& [name, condition] : kTerms) {
    if (key != name) continue;
    TB_TRY_ASSIGN(*condition, TextMatcher::create(value));
    return true;
  }
  if (!key.starts_with("arg:")) return false;
  TB_TRY_ASSIGN(TextMatcher matcher, TextMatcher::create(value));
  query.args.push_back({std::string(key.substr(4)), std::move(matcher)});
  return true;
}

}  // namespace

Result<TextMatcher> TextMatcher::create(std::string_view text) {
  TextMatcher matcher;
  if (text.starts_with("re:")) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(int64_t{8} << 20);
    auto expression = std::make_shared<const re2::RE2>(
        re2::StringPiece(text.data() + 3, text.size() - 3), options);
    if (!expression->ok())
      return fail(ErrorCode::Usage,
                  fmt::format("re: {} in '{}'", expression->error(), text.substr(3)));
    matcher.expression_ = std::move(expression);
    return matcher;
  }
  for (const char c : text) matcher.lowered_ += lower_case(c);
  return matcher;
}

bool TextMatcher::matches(std::string_view text) const {
  if (expression_ != nullptr)
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *expression_);
  return !std::ranges::search(text, lowered_, [](char a, char b) { return lower_case(a) == b; })
              .empty() ||
         lowered_.empty();
}

Result<SearchQuery> parse_search(std::string_view text) {
  if (text.size() > kMostText)
    return fail(ErrorCode::Usage, fmt::format("text: at most {} bytes", kMostText));
  SearchQuery query;
  if (text.starts_with("re:")) {
    TB_TRY_ASSIGN(query.text, TextMatcher::create(text));
    return query;
  }
  std::string words;
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    const std::string word = take_word(text);
    TB_TRY_ASSIGN(const bool is_term, add_term(word, query));
    if (is_term) continue;
    if (!words.empty()) words += ' ';
    words += word;
  }
  if (!words.empty()) {
    TB_TRY_ASSIGN(query.text, TextMatcher::create(words));
  }
  const bool has_condition = query.text || query.name || query.category || query.context ||
                             !query.args.empty() || query.has_dur || query.machine ||
                             query.process || query.thread || query.track;
  if (!has_condition) return fail(ErrorCode::Usage, "text: empty");
  return query;
}

}  // namespace tracebraid::timeline
