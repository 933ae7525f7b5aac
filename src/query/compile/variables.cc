#include "query/compile/variables.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/words.h"
#include "query/compile/tokens.h"

namespace tracebraid {
namespace {

// The numbers that SQLite gives the variables of each statement: ?N is N; another one is the next
// number, a name only where it comes first.
class VariableNumbers {
 public:
  void add(std::string_view variable) {
    const std::optional<int64_t> number = parse_decimal(variable.substr(1));
    if (variable[0] == '?' && number)
      last_ = std::max(last_, *number);
    else if (variable == "?" || names_.insert(variable).second)
      ++last_;
    largest_ = std::max(largest_, last_);
  }
  void end_statement() {
    last_ = 0;
    names_.clear();
  }
  // The largest number in any statement.
  int64_t largest() const { return largest_; }

 private:
  int64_t last_ = 0, largest_ = 0;
  std::set<std::string_view> names_;
};

}  // namespace

Result<> check_value_count(std::string_view sql, std::span<const Parameter> parameters) {
  const auto has_no_name = [](const Parameter& parameter) { return parameter.name.empty(); };
  const int64_t values = std::ranges::count_if(parameters, has_no_name);
  if (values == 0) return {};
  VariableNumbers numbers;
  for (Token token = first_token(sql); token.kind != TokenKind::End; token = first_token(sql)) {
    if (token.kind == TokenKind::Variable)
      numbers.add(token.text);
    else if (token.text == ";")
      numbers.end_statement();
    sql.remove_prefix(token.text.size());
  }
  if (values <= numbers.largest()) return {};
  return fail(ErrorCode::Usage, fmt::format("{} value{} given, but the SQL has {} variable{}",
                                            values, values == 1 ? " is" : "s are",
                                            numbers.largest(), numbers.largest() == 1 ? "" : "s"));
}

}  // namespace tracebraid
