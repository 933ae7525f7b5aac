#include "query/macros/expand.h"

#include <fmt/core.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/compile/position.h"
#include "query/compile/token_list.h"
#include "query/macros/builtin_macros.h"

namespace tracebraid {
namespace {

// The text of a frame that is being expanded.
struct Body {
  const TokenList& list;
  size_t begin;  // of the list's text in the text of the frame
  const Macro* macro = nullptr;
  std::span<const SqlText> arguments = {};
};

// Sets Macro::is_expanding.
class Expanding {
 public:
  explicit Expanding(Macro& macro) : macro_(macro) { macro_.is_expanding = true; }
  ~Expanding() { macro_.is_expanding = false; }
  Expanding(const Expanding&) = delete;
  Expanding& operator=(const Expanding&) = delete;

 private:
  Macro& macro_;
};

class Expander {
 public:
  Expander(MacroSet& macros, size_t most_bytes, const StopCheck& stop)
      : macros_(macros), most_bytes_(most_bytes), stop_(stop) {}

  // Appends the tokens of a range, and the text between them, to `out`.
  Result<> expand(const Body& body, TokenRange range, uint32_t frame, SqlText& out);

 private:
  Result<> call(const Body& body, size_t name_at, uint32_t frame, SqlText& out);
  Result<std::vector<SqlText>> arguments_of(const Body& body, size_t open, uint32_t frame,
                                            SqlText& out);
  // Expands a macro into `out`. `place` is that of the call.
  Result<> expand_macro(std::string_view name, std::span<const SqlText> arguments,
                        SourceMap::Place place, SqlText& out);
  Result<> expand_applied(const AppliedCalls& calls, SourceMap::Place place, SqlText& out);
  Result<> insert(const SqlText& argument, SourceMap::Place place, SqlText& out);
  // Checks the limits before a step that appends at least `bytes`.
  Result<> count(const SqlText& out, SourceMap::Place place, size_t bytes = 0);
  tl::unexpected<Error> failed(const SqlText& out, SourceMap::Place place,
                               std::string_view message) const;

  // The calls whose arguments are being expanded, outermost first.
  struct OpenCall {
    const SqlText& out;
    SourceMap::Place place;
  };

  MacroSet& macros_;
  size_t most_bytes_, expansions_ = 0;
  PacedStopCheck stop_;
  std::vector<OpenCall> open_calls_;
  size_t depth_ = 0;
};

tl::unexpected<Error> Expander::failed(const SqlText& out, SourceMap::Place place,
                                       std::string_view message) const {
  std::string text;
  for (const OpenCall& call : open_calls_) text += frames_text(call.out.map, call.place);
  return fail(ErrorCode::Sql, traceback_head((open_calls_.empty() ? out : open_calls_[0].out).map) +
                                  text + frames_text(out.map, place) + std::string(message));
}

Result<> Expander::count(const SqlText& out, SourceMap::Place place, size_t bytes) {
  constexpr size_t kBytesOfStep = 16;
  if (stop_.stopped(1 + bytes / kBytesOfStep)) return tl::unexpected(stop_.error());
  if (out.text.size() + bytes > most_bytes_)
    return failed(out, place, "the expansion of macros is longer than 16 MiB");
  if (++expansions_ > kMostExpansions)
    return failed(out, place, "the expansion of macros takes more than 1000000 steps");
  return {};
}

// Puts an argument in the place of its name. `place` is that of the name.
Result<> Expander::insert(const SqlText& argument, SourceMap::Place place, SqlText& out) {
  TB_TRY(count(out, place, argument.text.size()));
  expansions_ += argument.map.frames().size() - 1;
  out.text += argument.text;
  out.map.add_piece(argument.map, argument.text.size(), place.frame, place.offset);
  return {};
}

const SqlText* argument_named(const Body& body, const Token& token) {
  if (body.macro == nullptr || token.kind != TokenKind::Variable || token.text[0] != '$')
    return nullptr;
  const std::vector<std::string>& names = body.macro->parameters;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == token.text.substr(1)) return &body.arguments[i];
  return nullptr;
}

Result<> Expander::expand(const Body& body, TokenRange range, uint32_t frame, SqlText& out) {
  if (range.is_empty()) return {};
  const std::vector<ListedToken>& tokens = body.list.tokens;
  size_t copied = tokens[range.begin].begin;  // up to here
  const auto copy_up_to = [&](size_t end) {
    out.text += body.list.text.substr(copied, end - copied);
    out.map.add_copied(frame, end - copied, body.begin + copied);
  };
  for (size_t i = range.begin; i < range.end; ++i) {
    if (stop_.stopped()) return tl::unexpected(stop_.error());
    const ListedToken& token = tokens[i];
    if (is_macro_call(body.list, i)) {
      copy_up_to(token.begin);
      TB_TRY(call(body, i, frame, out));
      i = tokens[i + 2].partner;
      copied = tokens[i].begin + tokens[i].length;
    } else if (const SqlText* argument = argument_named(body, body.list.token(i))) {
      copy_up_to(token.begin);
      TB_TRY(insert(*argument, {frame, body.begin + token.begin}, out));
      copied = token.begin + token.length;
    }
  }
  copy_up_to(tokens[range.end - 1].begin + tokens[range.end - 1].length);
  return {};
}

// Expands the arguments of a call, whose bracket is the token `open`.
Result<std::vector<SqlText>> Expander::arguments_of(const Body& body, size_t open, uint32_t frame,
                                                    SqlText& out) {
  const std::vector<ListedToken>& tokens = body.list.tokens;
  std::vector<SqlText> arguments;
  const SourceFrame& of = out.map.frames()[frame];
  const SourceTextPtr source = of.source;
  for (const TokenRange& range : split_at_commas(body.list, {open + 1, tokens[open].partner})) {
    // An argument that is passed on keeps its frames, so that the depth of calls does not add any.
    if (range.end - range.begin == 1) {
      if (const SqlText* passed = argument_named(body, body.list.token(range.begin))) {
        arguments.push_back(*passed);
        continue;
      }
    }
    SourceFrame first{source, body.begin + tokens[range.begin].begin,
                      body.begin + tokens[range.begin].begin};
    if (!range.is_empty())
      first.end = body.begin + tokens[range.end - 1].begin + tokens[range.end - 1].length;
    SqlText argument{"", SourceMap(std::move(first))};
    TB_TRY(expand(body, range, 0, argument));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Result<> Expander::call(const Body& body, size_t name_at, uint32_t frame, SqlText& out) {
  const SourceMap::Place place{frame, body.begin + body.list.tokens[name_at].begin};
  TB_TRY(count(out, place));
  if (depth_ >= kDeepestExpansion)
    return failed(out, place, fmt::format("macro calls are nested deeper than {}", depth_));
  ++depth_;
  open_calls_.push_back({out, place});
  Result<std::vector<SqlText>> arguments = arguments_of(body, name_at + 2, frame, out);
  if (!arguments) return tl::unexpected(std::move(arguments).error());
  open_calls_.pop_back();
  const Token name = body.list.token(name_at);
  const SqlText* named = argument_named(body, name);
  TB_TRY(expand_macro(named == nullptr ? name.text : std::string_view(named->text), *arguments,
                      place, out));
  --depth_;
  return {};
}

Result<> Expander::expand_macro(std::string_view name, std::span<const SqlText> arguments,
                                SourceMap::Place place, SqlText& out) {
  if (is_builtin_macro(name)) {
    if (const std::optional<std::string> quoted = stringify(name, arguments)) {
      out.text += *quoted;
      out.map.add_made(place.frame, quoted->size(), place.offset);
      return {};
    }
    if (const std::optional<AppliedCalls> calls = token_apply(name, arguments))
      return expand_applied(*calls, place, out);
    return failed(out, place,
                  fmt::format("the arguments of {}! are not of the form that it takes\n"
                              "syntax error near '!'",
                              name));
  }
  const auto found = macros_.find(name);
  if (found == macros_.end()) return failed(out, place, fmt::format("unknown macro '{}'", name));
  Macro& macro = found->second;
  if (macro.is_expanding)
    return failed(out, place, fmt::format("recursive macro expansion: '{}'", name));
  if (arguments.size() != macro.parameters.size())
    return failed(out, place,
                  fmt::format("macro {}! takes {} arguments, not {}\nsyntax error near '!'", name,
                              macro.parameters.size(), arguments.size()));
  const Expanding expanding(macro);
  const uint32_t frame =
      out.map.add_frame({macro.source, macro.begin, macro.end, place.frame, place.offset});
  return expand({macro.tokens, macro.begin, &macro, arguments}, {0, macro.tokens.tokens.size()},
                frame, out);
}

Result<> Expander::expand_applied(const AppliedCalls& calls, SourceMap::Place place, SqlText& out) {
  const auto add = [&](const std::string& text) {
    out.text += text;
    out.map.add_made(place.frame, text.size(), place.offset);
  };
  add(calls.prefix);
  for (size_t i = 0; i < calls.arguments.size(); ++i) {
    if (i != 0) add(calls.separator);
    TB_TRY(count(out, place));
    TB_TRY(expand_macro(calls.macro, calls.arguments[i], place, out));
  }
  return {};
}

}  // namespace

Result<SqlText> expand_macros(const SourceFrame& statement, MacroSet& macros,
                              const StopCheck& stop) {
  const std::string_view text = std::string_view(statement.source->text)
                                    .substr(statement.begin, statement.end - statement.begin);
  const TokenList list = token_list(text, stop);
  if (stop.stopped()) return tl::unexpected(stop.error());
  SqlText expanded{"", SourceMap(statement)};
  Expander expander(macros, text.size() + kMostExpandedBytes, stop);
  TB_TRY(expander.expand({list, statement.begin}, {0, list.tokens.size()}, 0, expanded));
  return expanded;
}

}  // namespace tracebraid
