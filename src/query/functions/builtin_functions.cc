#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "base/base64.h"
#include "base/fnv.h"
#include "base/hex.h"
#include "base/words.h"
#include "query/functions/compression.h"
#include "query/functions/find_text.h"
#include "query/functions/function.h"
#include "query/functions/new_text.h"
#include "query/functions/regular_expressions.h"
#include "query/functions/text_result.h"
#include "query/scan/predicate.h"

namespace tracebraid {

std::optional<std::string> text_of(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      return std::nullopt;
    case Cell::Kind::Int:
      return fmt::to_string(cell.integer);
    case Cell::Kind::Real: {
      std::string text = fmt::format("{:.15g}", cell.real);
      if (text.find_first_of(".eEn") == std::string::npos) text += ".0";
      return text;
    }
    case Cell::Kind::Text:
    case Cell::Kind::Blob:
      return std::string(cell.text);
  }
  return std::nullopt;
}

std::string_view view_of(const Cell& cell, std::string& converted) {
  if (cell.kind == Cell::Kind::Text || cell.kind == Cell::Kind::Blob) return cell.text;
  return converted = text_of(cell).value_or("");
}

namespace {

using Arguments = std::span<const Cell>;

bool is_null(const Cell& cell) { return cell.kind == Cell::Kind::Null; }
bool is_text(const Cell& cell) { return cell.kind == Cell::Kind::Text; }
bool any_null(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(), is_null);
}

// Returns whether WHERE accepts the value: a number other than 0, or a text that begins with one.
bool is_true(const Cell& cell) {
  if (cell.kind == Cell::Kind::Int) return cell.integer != 0;
  if (cell.kind == Cell::Kind::Real) return cell.real != 0;
  return std::strtod(std::string(cell.text).c_str(), nullptr) != 0;
}

Result<Cell> hash(Arguments arguments, PacedStopCheck& check) {
  Fnv1a state;
  for (const Cell& cell : arguments) {
    if (cell.kind == Cell::Kind::Int) {
      state.add(static_cast<uint64_t>(cell.integer));
    } else if (is_text(cell)) {
      const auto add = [&](std::string_view part) { state.add(part); };
      if (!NewText::for_each_part(cell.text, check, add)) return tl::unexpected(check.error());
    } else {
      return fail(ErrorCode::Sql,
                  fmt::format("HASH: arg {} has unknown type", &cell - arguments.data()));
    }
  }
  return Cell::of(static_cast<int64_t>(state.value()));
}

Result<Cell> glob(Arguments arguments, PacedStopCheck& check) {
  if (any_null(arguments)) return Cell::null();
  std::string pattern, text;
  const std::optional<bool> matches =
      glob_matches(view_of(arguments[0], pattern), view_of(arguments[1], text), check);
  if (!matches) return tl::unexpected(check.error());
  return Cell::of(int64_t{*matches});
}

MaybeText base64_encode(Arguments arguments, PacedStopCheck& check) {
  const Cell& bytes = arguments[0];
  if (is_null(bytes)) return std::nullopt;
  if (bytes.kind != Cell::Kind::Blob)
    return fail(ErrorCode::Sql, "Base64Encode only supports bytes argument");
  constexpr size_t kAtOnce = size_t{3} << 12;
  std::string text;
  text.reserve((bytes.text.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.text.size(); at += kAtOnce) {
    if (check.stopped(kAtOnce)) return tl::unexpected(check.error());
    text += to_base64(bytes.text.substr(at, kAtOnce));
  }
  return text;
}

MaybeText base64_decode(Arguments arguments, PacedStopCheck& check) {
  const Cell& input = arguments[0];
  if (is_null(input)) return std::nullopt;
  if (!is_text(input) && input.kind != Cell::Kind::Blob)
    return fail(ErrorCode::Sql, "BASE64: argument must be string or blob");
  constexpr size_t kAtOnce = size_t{4} << 12;
  const auto decoded = [](std::string_view text, bool is_last) -> std::optional<std::string> {
    // Padding ends the text.
    const bool is_plain = std::ranges::all_of(
        text, [&](char c) { return is_base64_digit(c) || (c == '=' && is_last); });
    return is_plain ? from_base64(text) : std::nullopt;
  };
  std::string bytes;
  bytes.reserve(input.text.size() / 4 * 3);
  for (size_t at = 0; at < input.text.size(); at += kAtOnce) {
    if (check.stopped(kAtOnce)) return tl::unexpected(check.error());
    const std::optional<std::string> some =
        decoded(input.text.substr(at, kAtOnce), input.text.size() - at <= kAtOnce);
    if (!some) return fail(ErrorCode::Sql, "BASE64: Invalid input");
    bytes += *some;
  }
  return bytes;
}

MaybeText reverse(Arguments arguments, PacedStopCheck& check) {
  if (is_null(arguments[0])) return std::nullopt;
  if (!is_text(arguments[0])) return fail(ErrorCode::Sql, "REVERSE: argument should be string");
  constexpr size_t kAtOnce = size_t{1} << 14;
  const std::string_view text = arguments[0].text;
  std::string made;
  made.reserve(text.size());
  for (size_t left = text.size(); left != 0;) {
    const std::string_view part =
        text.substr(left - std::min(left, kAtOnce), std::min(left, kAtOnce));
    if (check.stopped(part.size())) return tl::unexpected(check.error());
    made.append(part.rbegin(), part.rend());
    left -= part.size();
  }
  return made;
}

// Removes the hash that older Rust compilers append to a name: ::h and 16 digits.
void drop_rust_hash(std::string& name) {
  constexpr size_t kLength = 19;
  if (name.size() < kLength) return;
  const std::string_view tail = std::string_view(name).substr(name.size() - kLength);
  const bool is_hash = tail.starts_with("::h") &&
                       tail.find_first_not_of("0123456789abcdef", 3) == std::string_view::npos;
  if (is_hash) name.resize(name.size() - kLength);
}

MaybeText demangle(Arguments arguments) {
  if (is_null(arguments[0])) return std::nullopt;
  if (!is_text(arguments[0]))
    return fail(ErrorCode::Sql, "Unsupported type of arg passed to DEMANGLE");
  if (!arguments[0].text.starts_with("_Z")) return std::nullopt;
  const std::string mangled(arguments[0].text);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || name == nullptr) return std::nullopt;
  std::string result(name.get());
  drop_rust_hash(result);
  return result;
}

Result<Cell> str_split(Arguments arguments, PacedStopCheck& check) {
  const Cell& text = arguments[0];
  const Cell& delimiter = arguments[1];
  const Cell& field = arguments[2];
  if (!is_text(delimiter) || delimiter.text.empty())
    return fail(ErrorCode::Sql, "str_split: delimiter must be a non-empty string");
  if (field.kind != Cell::Kind::Int || field.integer < 0)
    return fail(ErrorCode::Sql, "str_split: field number must be a non-negative integer");
  if (!is_text(text)) return Cell::null();
  size_t begin = 0;
  for (int64_t i = 0;; ++i) {
    const std::optional<size_t> found = find_text(text.text, delimiter.text, begin, check);
    if (!found) return tl::unexpected(check.error());
    if (i == field.integer) return Cell::of(text.text.substr(begin, *found - begin));
    if (*found == std::string_view::npos) return Cell::null();
    begin = *found + delimiter.text.size();
  }
}

Result<Cell> unhex_number(Arguments arguments) {
  if (is_null(arguments[0])) return Cell::null();
  const std::string owned = *text_of(arguments[0]);
  std::string_view text = owned;
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  if (text.empty()) return fail(ErrorCode::Sql, "UNHEX: input is empty or only whitespace");
  std::string digits;
  if (text.starts_with('-')) digits = "-";
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  text = without_0x(text);
  if (text.empty()) return fail(ErrorCode::Sql, "UNHEX: hex string is empty after prefix");
  const bool signed_twice = text.starts_with('-');
  digits += text;
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || at != end || signed_twice)
    return fail(ErrorCode::Sql, "UNHEX: invalid or out of range hex string");
  return Cell::of(value);
}

// Works as SQLite's unhex: bytes from pairs of digits, between which characters of `ignored` may
// occur.
MaybeText unhex_bytes(Arguments arguments, PacedStopCheck& check) {
  if (any_null(arguments)) return std::nullopt;
  std::string number, other;
  const std::string_view text = view_of(arguments[0], number),
                         ignored = view_of(arguments[1], other);
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (check.stopped(1 + ignored.size())) return tl::unexpected(check.error());
    if (hex_value(text[at]) < 0) {
      if (ignored.find(text[at]) == std::string_view::npos) return std::nullopt;
      continue;
    }
    if (at + 1 == text.size() || hex_value(text[at + 1]) < 0) return std::nullopt;
    bytes += static_cast<char>(hex_value(text[at]) * 16 + hex_value(text[at + 1]));
    ++at;
  }
  return bytes;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

MaybeText strip_hex(Arguments arguments, PacedStopCheck& check) {
  constexpr std::string_view kName = "__intrinsic_strip_hex: ";
  if (is_null(arguments[0])) return std::nullopt;
  if (!is_text(arguments[0]))
    return fail(ErrorCode::Sql, fmt::format("{}first argument must be string", kName));
  if (arguments[1].kind != Cell::Kind::Int)
    return fail(ErrorCode::Sql, fmt::format("{}second argument must be integer", kName));
  if (arguments[1].integer <= 0)
    return fail(ErrorCode::Sql, fmt::format("{}min_repeated_digits must be positive", kName));
  const std::string_view text = arguments[0].text;
  const auto at_least = static_cast<uint64_t>(arguments[1].integer);
  std::string stripped;
  size_t at = 0;
  while (at < text.size()) {
    // Within a word only decimal digits count; at its start also hex digits.
    const bool after_prefix = stripped.ends_with("0x") || stripped.ends_with("0X");
    const bool in_word = at > 0 && is_letter(text[at - 1]) && !after_prefix;
    size_t end = at;
    while (end < text.size() && (in_word ? is_digit(text[end]) : hex_value(text[end]) >= 0)) ++end;
    const std::string_view run = text.substr(at, end - at);
    if (check.stopped(1 + run.size())) return tl::unexpected(check.error());
    const bool numeric = after_prefix || std::any_of(run.begin(), run.end(), is_digit);
    if (run.size() >= at_least && numeric && !run.empty()) {
      stripped += "<num>";
      at = end;
    } else {
      stripped += text[at++];
    }
  }
  return stripped;
}

// Joins texts; NULL is left out.
MaybeText joined(std::string_view separator, Arguments arguments, PacedStopCheck& check) {
  constexpr size_t kNumberBytes = 32;
  constexpr size_t kMostBytes = size_t{1} << 31;  // more than SQLite takes
  size_t most = 0;
  for (const Cell& cell : arguments) most += cell.text.size() + kNumberBytes + separator.size();
  if (most > kMostBytes) return fail(ErrorCode::Sql, "string or blob too big");
  std::string made, number;
  made.reserve(most);
  const auto append = [&](std::string_view text) {
    return NewText::for_each_part(text, check, [&](std::string_view part) { made += part; });
  };
  bool is_first = true;
  for (const Cell& cell : arguments) {
    if (is_null(cell)) continue;
    if ((!is_first && !append(separator)) || !append(view_of(cell, number)))
      return tl::unexpected(check.error());
    is_first = false;
  }
  return made;
}

MaybeText concat(Arguments arguments, PacedStopCheck& check) {
  return joined("", arguments, check);
}

MaybeText concat_ws(Arguments arguments, PacedStopCheck& check) {
  if (arguments.empty() || is_null(arguments[0])) return std::nullopt;
  std::string number;
  return joined(view_of(arguments[0], number), arguments.subspan(1), check);
}

// Implements if(condition, value, condition, value, ..., otherwise).
Result<Cell> choose(Arguments arguments) {
  if (arguments.size() < 2)
    return fail(ErrorCode::Sql, "wrong number of arguments to function if()");
  for (; arguments.size() >= 2; arguments = arguments.subspan(2))
    if (is_true(arguments[0])) return arguments[1];
  return arguments.empty() ? Cell::null() : arguments[0];
}

Result<Cell> octet_length(Arguments arguments) {
  if (is_null(arguments[0])) return Cell::null();
  std::string number;
  return Cell::of(static_cast<int64_t>(view_of(arguments[0], number).size()));
}

Result<Cell> null_if_empty(Arguments arguments) {
  if (is_null(arguments[0])) return Cell::null();
  if (arguments[0].kind != Cell::Kind::Blob)
    return fail(ErrorCode::Sql, "NULL_IF_EMPTY: should only be called with bytes argument");
  return arguments[0].text.empty() ? Cell::null() : arguments[0];
}

MaybeText to_timecode(Arguments arguments) {
  if (is_null(arguments[0])) return std::nullopt;
  if (arguments[0].kind != Cell::Kind::Int)
    return fail(ErrorCode::Sql, "TO_TIMECODE: first argument should be timestamp");
  const int64_t ns = arguments[0].integer;
  const int64_t seconds = ns / 1'000'000'000, rest = ns % 1'000'000'000;
  return fmt::format("{:02}:{:02}:{:02} {:03} {:03} {:03}", seconds / 3600, seconds / 60 % 60,
                     seconds % 60, rest / 1'000'000, rest / 1000 % 1000, rest % 1000);
}

}  // namespace

std::vector<SqlFunction> builtin_functions(const StopCheck& stop) {
  constexpr auto kBlob = Cell::Kind::Blob;
  // Functions whose time for long texts is not proportional to their length check in between.
  const auto paced = [check = std::make_shared<PacedStopCheck>(stop)](auto body) {
    return [check, body](Arguments arguments) { return body(arguments, *check); };
  };
  std::vector<SqlFunction> functions = {
      {"hash(value ANY...) LONG", "FNV-1a of all arguments, integers and texts.", paced(hash)},
      {"glob(pattern STRING, text STRING) BOOL",
       "Whether the text (second) matches the pattern, byte by byte.", paced(glob)},
      {"unhex(text STRING) LONG", "The integer of hexadecimal digits.", unhex_number},
      {"unhex(text STRING, ignored STRING) BYTES", "Bytes of hex digits; NULL if it is none.",
       returns_text(paced(unhex_bytes), kBlob)},
      {"__intrinsic_strip_hex(text STRING, min_digits LONG) STRING",
       "Long numbers in a text replaced by <num>.", returns_text(paced(strip_hex))},
      {"concat(value ANY...) STRING", "Texts joined; NULL is empty.", returns_text(paced(concat))},
      {"concat_ws(separator STRING, value ANY...) STRING",
       "Texts joined with a separator; NULL is left out.", returns_text(paced(concat_ws))},
      {"if(condition ANY, value ANY...) ANY", "The value after the first condition that is true.",
       choose},
      {"octet_length(text STRING) LONG", "Bytes of a text.", octet_length},
      {"null_if_empty(bytes BYTES) BYTES", "NULL for no bytes.", null_if_empty},
  };
  const SqlFunction twins[] = {
      {"__intrinsic_base64_encode(bytes BYTES) STRING", "Bytes as base64.",
       returns_text(paced(base64_encode))},
      {"__intrinsic_base64_decode(text STRING) BYTES", "Bytes of base64.",
       returns_text(paced(base64_decode), kBlob)},
      {"__intrinsic_reverse(text STRING) STRING", "The text backwards, by bytes.",
       returns_text(paced(reverse))},
      {"__intrinsic_demangle(symbol STRING) STRING",
       "C++ or Rust name of a symbol; NULL if it is none.", returns_text(demangle)},
      {"__intrinsic_str_split(text STRING, delimiter STRING, field LONG) STRING",
       "Field n, from 0, of a text split at a delimiter.", paced(str_split)},
      {"__intrinsic_to_timecode(dur DURATION) STRING", "hh:mm:ss mmm uuu nnn of ns.",
       returns_text(to_timecode)},
  };
  for (const SqlFunction& twin : twins) add_with_twin(twin, functions);
  for (const SqlFunction& function : regular_expression_functions(stop))
    add_with_twin(function, functions);
  for (SqlFunction& function : compression_functions(stop))
    functions.push_back(std::move(function));
  return functions;
}

void add_with_twin(const SqlFunction& function, std::vector<SqlFunction>& functions) {
  constexpr std::string_view kPrefix = "__intrinsic_";
  functions.push_back(function);
  functions.push_back(function);
  functions.back().signature.text.remove_prefix(kPrefix.size());
  functions.back().signature.name.remove_prefix(kPrefix.size());
}

}  // namespace tracebraid
