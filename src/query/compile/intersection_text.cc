#include "query/compile/intersection_text.h"

#include <charconv>
#include <optional>
#include <set>

#include "base/words.h"
#include "query/compile/token_list.h"

namespace tracebraid {
namespace {

// Reads parts of a list of tokens.
class Reader {
 public:
  explicit Reader(std::string_view sql) : list_(token_list(sql)) { find_tables_of_with(); }

  std::vector<IntersectionText> read() const {
    std::vector<IntersectionText> found;
    for (size_t i = 0; i < list_.tokens.size(); ++i) {
      if (!is_word(i + 1, "SELECT") || !has_partner(i)) continue;
      std::optional<IntersectionText> intersection = intersection_at(i);
      if (!intersection) continue;
      found.push_back(*std::move(intersection));
      i = list_.tokens[i].partner;
    }
    return found;
  }

 private:
  bool is_word(size_t at, std::string_view upper) const {
    return is_keyword(list_.token(at), upper);
  }
  // Whether the token is an opening bracket that is closed.
  bool has_partner(size_t at) const {
    return list_.is(at, "(") && list_.tokens[at].partner != kNoToken;
  }
  // Returns the token behind `name(...)`; nothing if there is no such call.
  std::optional<size_t> behind_call(size_t at, std::string_view upper) const {
    if (!is_word(at, upper) || !has_partner(at + 1)) return std::nullopt;
    return list_.tokens[at + 1].partner + 1;
  }
  // The text of tokens [begin, end).
  std::string text(size_t begin, size_t end) const {
    if (begin == end) return {};
    const ListedToken &first = list_.tokens[begin], &last = list_.tokens[end - 1];
    return std::string(list_.text.substr(first.begin, last.begin + last.length - first.begin));
  }

  // Records each word before AS (...), which the clause WITH names, perhaps with its columns.
  void find_tables_of_with() {
    for (size_t i = 1; i < list_.tokens.size(); ++i) {
      if (!is_word(i, "AS")) continue;
      size_t behind = i + 1;
      if (is_word(behind, "NOT")) ++behind;
      if (is_word(behind, "MATERIALIZED")) ++behind;
      if (!list_.is(behind, "(")) continue;
      size_t name = i - 1;
      if (list_.is(name, ")") && list_.tokens[name].partner != kNoToken &&
          list_.tokens[name].partner != 0)
        name = list_.tokens[name].partner - 1;
      named_.insert(in_lower_case(list_.token(name).text));
    }
  }

  bool may_refer_outside(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      const Token token = list_.token(i);
      const bool is_quoted_name = token.kind == TokenKind::Quoted && token.text[0] != '\'';
      if (token.kind == TokenKind::Variable || is_quoted_name ||
          named_.contains(in_lower_case(token.text)))
        return true;
    }
    return false;
  }

  // Matches `cN AS name`.
  std::optional<IntersectionText::Column> column_at(TokenRange item) const {
    if (item.end - item.begin != 3 || !is_word(item.begin + 1, "AS") ||
        list_.token(item.begin + 2).kind != TokenKind::Word)
      return std::nullopt;
    const std::string_view written = list_.token(item.begin).text;
    if (written.size() < 2 || written[0] != 'c') return std::nullopt;
    size_t position = 0;
    const char* const end = written.data() + written.size();
    if (std::from_chars(written.data() + 1, end, position).ptr != end) return std::nullopt;
    return IntersectionText::Column{position, std::string(list_.token(item.begin + 2).text)};
  }

  // Matches `(SELECT __intrinsic_interval_tree_intervals_agg(...) FROM ... AS input)`.
  bool add_input(TokenRange range, IntersectionText& found) const {
    constexpr size_t kFixed = 3;
    if (!has_partner(range.begin) || list_.tokens[range.begin].partner + 1 != range.end ||
        !is_word(range.begin + 1, "SELECT"))
      return false;
    const size_t call = range.begin + 2;
    const std::optional<size_t> behind =
        behind_call(call, "__INTRINSIC_INTERVAL_TREE_INTERVALS_AGG");
    if (!behind || !is_word(*behind, "FROM") || may_refer_outside(range.begin, range.end))
      return false;
    const std::vector<TokenRange> arguments = split_at_commas(list_, {call + 2, *behind - 1});
    if (arguments.size() < kFixed || (arguments.size() - kFixed) % 2 != 0) return false;
    IntersectionText::Input input{"SELECT ", {}};
    for (size_t i = 0; i < arguments.size(); ++i) {
      const TokenRange& argument = arguments[i];
      if (i >= kFixed && (i - kFixed) % 2 == 0) {
        const std::optional<std::string_view> name = plain_text(list_.token(argument.begin));
        if (!name || argument.end != argument.begin + 1) return false;
        input.partitions.emplace_back(*name);
        continue;
      }
      input.select += (i == 0 ? "" : ", ") + text(argument.begin, argument.end);
    }
    // The text up to the closing bracket must be one FROM, so that no other clause changes what an
    // aggregate reads: `table AS input`, or `(SELECT ...) AS input`.
    const size_t from = *behind + 1;
    const size_t alias = has_partner(from) ? list_.tokens[from].partner + 1 : from + 1;
    if (alias + 3 != range.end || !is_word(alias, "AS")) return false;
    input.select += " FROM " + text(from, range.end - 1);
    found.inputs.push_back(std::move(input));
    return true;
  }

  // Matches an intersection whose brackets begin at `open`.
  std::optional<IntersectionText> intersection_at(size_t open) const {
    const size_t close = list_.tokens[open].partner;
    size_t from = open + 2;
    while (from < close && !is_word(from, "FROM")) ++from;
    const std::optional<size_t> behind = behind_call(from + 1, "__INTRINSIC_TABLE_COLUMNS");
    const size_t call = from + 3;
    const std::optional<size_t> behind_inner =
        behind ? behind_call(call, "__INTRINSIC_INTERVAL_INTERSECT") : std::nullopt;
    if (!behind_inner || *behind != close || *behind_inner + 1 != *behind) return std::nullopt;
    IntersectionText found;
    for (const TokenRange& item : split_at_commas(list_, {open + 2, from})) {
      std::optional<IntersectionText::Column> column = column_at(item);
      if (!column) return std::nullopt;
      found.columns.push_back(*std::move(column));
    }
    const std::vector<TokenRange> arguments = split_at_commas(list_, {call + 2, *behind_inner - 1});
    for (size_t i = 0; i + 1 < arguments.size(); ++i)
      if (!add_input(arguments[i], found)) return std::nullopt;
    const std::optional<std::string_view> list = plain_text(list_.token(arguments.back().begin));
    if (found.inputs.empty() || !list) return std::nullopt;
    found.partition_list = *list;
    found.begin = list_.tokens[open].begin;
    found.end = size_t{list_.tokens[close].begin} + 1;
    return found;
  }

  TokenList list_;
  std::set<std::string> named_;  // in lower case
};

}  // namespace

std::vector<IntersectionText> intersections_in(std::string_view sql) { return Reader(sql).read(); }

}  // namespace tracebraid
