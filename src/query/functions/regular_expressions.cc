#include "query/functions/regular_expressions.h"

#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "query/functions/call_apart.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// The length of a character of UTF-8; 1 for any byte that begins none.
size_t character_length(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t length = first < 0xc2   ? 1
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 1;
  if (length > text.size() - at) return 1;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return 1;
  return length;
}

bool any_null(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Cell& cell) { return cell.kind == Cell::Kind::Null; });
}

// Whether a loop over matches must end; takes the bytes of its last step.
using Stopped = std::function<bool(size_t)>;

// Caches the last pattern, compiled: a query usually has the same pattern for every row.
class Matcher {
 public:
  explicit Matcher(const StopCheck& stop) : stop_(stop), check_(stop) {}

  // Errors: Sql for an invalid pattern, those of the StopCheck.
  Result<const RE2*> compile(std::string_view pattern, bool case_sensitive) {
    const bool same =
        last_ && last_->pattern() == pattern && last_->options().case_sensitive() == case_sensitive;
    if (!same) {
      last_ = nullptr;
      TB_TRY_ASSIGN(last_, call<std::shared_ptr<const RE2>>(
                               pattern, kWorkToCompile,
                               [case_sensitive](std::string_view source, const Stopped&) {
                                 RE2::Options options(RE2::Quiet);
                                 options.set_case_sensitive(case_sensitive);
                                 return std::make_shared<const RE2>(
                                     re2::StringPiece(source.data(), source.size()), options);
                               }));
    }
    if (!last_->ok()) return fail(ErrorCode::Sql, "RE2 compile error: " + last_->error());
    return last_.get();
  }

  // Returns body(pattern, text, stopped). Errors: those of the StopCheck. Requires: compile()
  // returned the pattern. `body` keeps no reference to anything else.
  template <class T, class Body>
  Result<T> match(std::string_view text, Body body) {
    return call<T>(text, static_cast<size_t>(last_->ProgramSize()),
                   [pattern = last_, body](std::string_view of, const Stopped& stopped) {
                     return body(*pattern, of, stopped);
                   });
  }

 private:
  static constexpr size_t kWorkToCompile = 16;       // for each byte
  static constexpr size_t kWorkInside = 1 << 20;     // that needs no thread, a few milliseconds
  static constexpr size_t kWorkOfMicrosecond = 256;  // at least

  // RE2 cannot be stopped: a long text is matched apart, with a copy of it.
  template <class T, class Body>
  Result<T> call(std::string_view text, size_t work_of_byte, Body body) {
    const size_t work = (text.size() + 1) * work_of_byte;
    if (work <= kWorkInside) {
      T made = body(text, [&](size_t bytes) {
        return check_.stopped(1 + bytes * work_of_byte / kWorkOfMicrosecond);
      });
      if (check_.stopped(1 + work / kWorkOfMicrosecond)) return tl::unexpected(check_.error());
      return made;
    }
    struct Call {
      std::string text;
      Body body;
      T made = {};
    };
    auto owned = std::make_shared<Call>(Call{std::string(text), std::move(body)});
    const bool ended = apart_.run(stop_, [owned](const std::atomic<bool>& is_abandoned) {
      owned->made = owned->body(owned->text, [&](size_t) { return is_abandoned.load(); });
    });
    if (!ended) return tl::unexpected(stop_.error());
    return std::move(owned->made);
  }

  const StopCheck& stop_;
  PacedStopCheck check_;
  CallApart apart_;
  std::shared_ptr<const RE2> last_;
};

// Parses flags, a string of i and c; the last one applies.
Result<bool> is_case_sensitive(const std::string& flags) {
  for (const char flag : flags)
    if (flag != 'i' && flag != 'c')
      return fail(ErrorCode::Sql, std::string("regexp: unknown flag '") + flag + "'");
  return !flags.ends_with('i');
}

// Implements regexp(pattern, text [, flags]).
auto regexp(const StopCheck& stop) {
  return [matcher = std::make_shared<Matcher>(stop)](Arguments arguments) -> Result<Cell> {
    if (any_null(arguments)) return Cell::null();
    bool case_sensitive = true;
    if (arguments.size() == 3) {
      TB_TRY_ASSIGN(case_sensitive, is_case_sensitive(*text_of(arguments[2])));
    }
    std::string converted, converted_pattern;
    TB_TRY(matcher->compile(view_of(arguments[0], converted_pattern), case_sensitive));
    TB_TRY_ASSIGN(
        const bool found,
        matcher->match<bool>(view_of(arguments[1], converted),
                             [](const RE2& pattern, std::string_view text, const Stopped&) {
                               return RE2::PartialMatch(piece(text), pattern);
                             }));
    return Cell::of(int64_t{found});
  };
}

// Implements regexp_extract(text, pattern).
auto regexp_extract(const StopCheck& stop) {
  return returns_text(
      [matcher = std::make_shared<Matcher>(stop)](Arguments arguments) -> MaybeText {
        if (any_null(arguments)) return std::nullopt;
        std::string converted, converted_pattern;
        TB_TRY_ASSIGN(const RE2* pattern,
                      matcher->compile(view_of(arguments[1], converted_pattern), true));
        if (pattern->NumberOfCapturingGroups() > 1)
          return fail(ErrorCode::Sql, "REGEXP_EXTRACT: pattern has more than one group.");
        return matcher->match<std::optional<std::string>>(
            view_of(arguments[0], converted),
            [](const RE2& re, std::string_view text, const Stopped&) -> std::optional<std::string> {
              re2::StringPiece parts[2];
              const int count = re.NumberOfCapturingGroups() + 1;
              if (!re.Match(piece(text), 0, text.size(), RE2::UNANCHORED, parts, count))
                return std::nullopt;
              return (parts[1].empty() ? parts[0] : parts[1]).as_string();
            });
      });
}

// Replaces as RE2::GlobalReplace does, and checks `stopped` after each match.
std::string replace_all(const RE2& pattern, std::string_view text, const std::string& by,
                        const Stopped& stopped) {
  const int groups = RE2::MaxSubmatch(by);
  if (groups > pattern.NumberOfCapturingGroups()) return std::string(text);
  std::vector<re2::StringPiece> parts(static_cast<size_t>(groups) + 1);
  std::string made;
  std::optional<size_t> last_end;
  size_t at = 0;
  while (at <= text.size() &&
         pattern.Match(piece(text), at, text.size(), RE2::UNANCHORED, parts.data(), groups + 1)) {
    const auto begin = static_cast<size_t>(parts[0].data() - text.data());
    if (stopped(begin - at + parts[0].size())) return {};
    made.append(text, at, begin - at);
    at = begin + parts[0].size();
    if (!parts[0].empty() || begin != last_end) {
      pattern.Rewrite(&made, by, parts.data(), groups + 1);
      last_end = at;
      continue;
    }
    // No empty match directly behind another match: skips a character.
    const size_t end = std::min(text.size(), at + character_length(text, at));
    made.append(text, at, end - at);
    at = at == text.size() ? at + 1 : end;
  }
  if (at < text.size()) made.append(text, at);
  return made;
}

// Implements regexp_replace_simple(text, pattern, replacement).
auto regexp_replace_simple(const StopCheck& stop) {
  return returns_text(
      [matcher = std::make_shared<Matcher>(stop)](Arguments arguments) -> MaybeText {
        if (any_null(arguments)) return std::nullopt;
        std::string converted, converted_pattern;
        TB_TRY(matcher->compile(view_of(arguments[1], converted_pattern), true));
        return matcher->match<std::optional<std::string>>(
            view_of(arguments[0], converted),
            [by = *text_of(arguments[2])](const RE2& pattern, std::string_view text,
                                          const Stopped& stopped) -> std::optional<std::string> {
              return replace_all(pattern, text, by, stopped);
            });
      });
}

}  // namespace

std::vector<SqlFunction> regular_expression_functions(const StopCheck& stop) {
  return {
      {"__intrinsic_regexp(pattern STRING, text STRING) BOOL",
       "Whether a text (second) contains a match of the pattern.", regexp(stop)},
      {"__intrinsic_regexp(pattern STRING, text STRING, flags STRING) BOOL",
       "As above; flag i ignores case, flag c does not.", regexp(stop)},
      {"__intrinsic_regexp_extract(text STRING, pattern STRING) STRING",
       "First match in a text, or its group.", regexp_extract(stop)},
      {"__intrinsic_regexp_replace_simple(text STRING, pattern STRING, replacement STRING) STRING",
       "All matches replaced; \\1 is a group.", regexp_replace_simple(stop)},
  };
}

}  // namespace tracebraid
