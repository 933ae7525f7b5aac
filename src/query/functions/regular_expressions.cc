#include "query/functions/regular_expressions.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

bool any_null(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Cell& cell) { return cell.kind == Cell::Kind::Null; });
}

// Caches the last pattern, compiled: a query usually has the same pattern for every row.
class LastPattern {
 public:
  Result<const RE2*> compiled(const std::string& pattern, bool case_sensitive) {
    const bool same =
        last_ && last_->pattern() == pattern && last_->options().case_sensitive() == case_sensitive;
    if (!same) {
      RE2::Options options(RE2::Quiet);
      options.set_case_sensitive(case_sensitive);
      last_ = std::make_shared<const RE2>(pattern, options);
    }
    if (!last_->ok()) return fail(ErrorCode::Sql, "RE2 compile error: " + last_->error());
    return last_.get();
  }

 private:
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
auto regexp() {
  return [last = LastPattern()](Arguments arguments) mutable -> Result<Cell> {
    if (any_null(arguments)) return Cell::null();
    bool case_sensitive = true;
    if (arguments.size() == 3) {
      TB_TRY_ASSIGN(case_sensitive, is_case_sensitive(*text_of(arguments[2])));
    }
    TB_TRY_ASSIGN(const RE2* pattern, last.compiled(*text_of(arguments[0]), case_sensitive));
    return Cell::of(int64_t{RE2::PartialMatch(*text_of(arguments[1]), *pattern)});
  };
}

// Implements regexp_extract(text, pattern).
auto regexp_extract() {
  return returns_text([last = LastPattern()](Arguments arguments) mutable -> MaybeText {
    if (any_null(arguments)) return std::nullopt;
    TB_TRY_ASSIGN(const RE2* pattern, last.compiled(*text_of(arguments[1]), true));
    if (pattern->NumberOfCapturingGroups() > 1)
      return fail(ErrorCode::Sql, "REGEXP_EXTRACT: pattern has more than one group.");
    const std::string text = *text_of(arguments[0]);
    re2::StringPiece parts[2];
    const int count = pattern->NumberOfCapturingGroups() + 1;
    if (!pattern->Match(text, 0, text.size(), RE2::UNANCHORED, parts, count)) return std::nullopt;
    return (parts[1].empty() ? parts[0] : parts[1]).as_string();
  });
}

// Implements regexp_replace_simple(text, pattern, replacement).
auto regexp_replace_simple() {
  return returns_text([last = LastPattern()](Arguments arguments) mutable -> MaybeText {
    if (any_null(arguments)) return std::nullopt;
    TB_TRY_ASSIGN(const RE2* pattern, last.compiled(*text_of(arguments[1]), true));
    std::string text = *text_of(arguments[0]);
    RE2::GlobalReplace(&text, *pattern, *text_of(arguments[2]));
    return text;
  });
}

}  // namespace

std::vector<SqlFunction> regular_expression_functions() {
  return {
      {"__intrinsic_regexp(pattern STRING, text STRING) BOOL",
       "Whether a text (second) contains a match of the pattern.", regexp()},
      {"__intrinsic_regexp(pattern STRING, text STRING, flags STRING) BOOL",
       "As above; flag i ignores case, flag c does not.", regexp()},
      {"__intrinsic_regexp_extract(text STRING, pattern STRING) STRING",
       "First match in a text, or its group.", regexp_extract()},
      {"__intrinsic_regexp_replace_simple(text STRING, pattern STRING, replacement STRING) STRING",
       "All matches replaced; \\1 is a group.", regexp_replace_simple()},
  };
}

}  // namespace tracebraid
