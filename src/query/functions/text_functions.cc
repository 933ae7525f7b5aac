#include "query/functions/text_functions.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/functions/find_text.h"
#include "query/functions/new_text.h"
#include "query/scan/predicate.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {
namespace {

constexpr size_t kLongestPattern = 50'000;  // of LIKE

struct TextWork {
  explicit TextWork(StopCheck& of) : stop(of), check(of) {}
  StopCheck& stop;
  PacedStopCheck check;  // over all calls
};

using Values = std::span<sqlite3_value* const>;

bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }
bool is_blob(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

// The bytes of a BLOB, or of the value as text; none for NULL. A conversion of a BLOB to text would
// change its type for other functions.
std::string_view bytes_of(sqlite3_value* value) {
  const auto* const bytes = static_cast<const char*>(sqlite3_value_blob(value));
  const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
  if (bytes == nullptr && size != 0) throw std::bad_alloc();
  return bytes == nullptr ? std::string_view("") : std::string_view(bytes, size);
}

// The value as text. Requires: it is not NULL.
std::string_view text_of(sqlite3_value* value) {
  if (is_blob(value)) return bytes_of(value);
  const unsigned char* const text = sqlite3_value_text(value);
  if (text == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(sqlite3_value_bytes(value))};
}

// LIKE reads texts up to their first NUL.
std::string_view up_to_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

size_t character_length(std::string_view text, size_t at) {
  const size_t begin = at++;
  if (static_cast<unsigned char>(text[begin]) < 0xc0) return 1;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  return at - begin;
}

// Bodies return false if they stopped.

// like(pattern, text [, escape])
bool like(sqlite3_context* context, TextWork& work, Values values) {
  if (is_blob(values[0]) || is_blob(values[1])) {
    sqlite3_result_int(context, 0);
    return true;
  }
  if (static_cast<size_t>(sqlite3_value_bytes(values[0])) > kLongestPattern) {
    sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
    return true;
  }
  std::string_view escape;
  if (values.size() == 3) {
    if (is_null(values[2])) return true;
    escape = up_to_nul(text_of(values[2]));
    if (escape.empty() || character_length(escape, 0) != escape.size()) {
      sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
      return true;
    }
  }
  if (is_null(values[0]) || is_null(values[1])) return true;
  const std::optional<bool> matches = like_matches(up_to_nul(text_of(values[0])), escape,
                                                   up_to_nul(text_of(values[1])), work.check);
  if (matches) sqlite3_result_int(context, *matches ? 1 : 0);
  return matches.has_value();
}

// replace(text, part, by)
bool replace(sqlite3_context* context, TextWork& work, Values values) {
  if (is_null(values[0]) || is_null(values[1])) return true;
  const std::string_view text = text_of(values[0]), part = text_of(values[1]);
  if (part.empty() || part[0] == '\0') {
    if (is_blob(values[0]))
      sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else
      sqlite3_result_value(context, values[0]);
    return true;
  }
  if (is_null(values[2])) return true;
  const std::string_view by = text_of(values[2]);
  std::vector<size_t> found;
  for (size_t at = 0;;) {
    const std::optional<size_t> next = find_text(text, part, at, work.check);
    if (!next) return false;
    if (*next == std::string_view::npos) break;
    found.push_back(*next);
    at = *next + part.size();
  }
  NewText made;
  if (!made.reserve(context, text.size() - found.size() * part.size() + found.size() * by.size()))
    return true;
  size_t at = 0;
  for (const size_t next : found) {
    if (!made.append(text.substr(at, next - at), work.check) || !made.append(by, work.check))
      return false;
    at = next + part.size();
  }
  if (!made.append(text.substr(at), work.check)) return false;
  made.give_text(context);
  return true;
}

// instr(text, part): the number of the character, or the byte of two BLOBs, from 1; 0 for none.
bool instr(sqlite3_context* context, TextWork& work, Values values) {
  if (is_null(values[0]) || is_null(values[1])) return true;
  const bool is_binary = is_blob(values[0]) && is_blob(values[1]);
  const std::string_view text = text_of(values[0]), part = text_of(values[1]);
  const auto continues = [&](size_t at) {
    return !is_binary && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  size_t at = 0;
  for (;; ++at) {
    const std::optional<size_t> next = find_text(text, part, at, work.check);
    if (!next) return false;
    at = *next;
    if (at == std::string_view::npos || part.empty() || at == 0 || !continues(at)) break;
  }
  int64_t number = at == std::string_view::npos ? 0 : 1;
  for (size_t i = 1; at != std::string_view::npos && i <= at; ++i) {
    if (!continues(i)) ++number;
    if (work.check.stopped()) return false;
  }
  sqlite3_result_int64(context, number);
  return true;
}

// trim(text [, characters]), ltrim and rtrim
template <bool kAtBegin, bool kAtEnd>
bool trim(sqlite3_context* context, TextWork& work, Values values) {
  if (is_null(values[0])) return true;
  std::string_view text = text_of(values[0]);
  std::vector<std::string_view> characters = {" "};
  if (values.size() == 2) {
    if (is_null(values[1])) return true;
    const std::string_view list = up_to_nul(text_of(values[1]));
    characters.clear();
    for (size_t at = 0; at < list.size(); at += characters.back().size()) {
      if (work.check.stopped()) return false;
      characters.push_back(list.substr(at, character_length(list, at)));
    }
  }
  bool stopped = false;
  // Removes one character of the list. Returns false if there is none.
  const auto remove = [&](auto is_at, auto drop) {
    for (const std::string_view character : characters) {
      if (work.check.stopped()) {
        stopped = true;
        return false;
      }
      if (!is_at(character)) continue;
      drop(character.size());
      return true;
    }
    return false;
  };
  while (kAtBegin && !text.empty() &&
         remove([&](std::string_view c) { return text.starts_with(c); },
                [&](size_t size) { text.remove_prefix(size); })) {
  }
  while (kAtEnd && !stopped && !text.empty() &&
         remove([&](std::string_view c) { return text.ends_with(c); },
                [&](size_t size) { text.remove_suffix(size); })) {
  }
  NewText made;
  if (stopped || !made.reserve(context, text.size())) return !stopped;
  if (!made.append(text, work.check)) return false;
  made.give_text(context);
  return true;
}

template <char kFirst, char kLast, int kShift>
bool change_case(sqlite3_context* context, TextWork& work, Values values) {
  if (is_null(values[0])) return true;
  const std::string_view text = text_of(values[0]);
  NewText made;
  if (!made.reserve(context, text.size())) return true;
  const bool ended = NewText::for_each_part(text, work.check, [&](std::string_view part) {
    for (const char byte : part)
      made.append(kFirst <= byte && byte <= kLast ? static_cast<char>(byte + kShift) : byte);
  });
  if (ended) made.give_text(context);
  return ended;
}

bool append_hex(NewText& made, std::string_view bytes, PacedStopCheck& check) {
  return NewText::for_each_part(bytes, check, [&](std::string_view part) {
    for (const char byte : part) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      made.append(kDigits[static_cast<unsigned char>(byte) >> 4]);
      made.append(kDigits[static_cast<unsigned char>(byte) & 15]);
    }
  });
}

bool hex(sqlite3_context* context, TextWork& work, Values values) {
  const std::string_view bytes = bytes_of(values[0]);
  NewText made;
  if (!made.reserve(context, 2 * bytes.size())) return true;
  if (!append_hex(made, bytes, work.check)) return false;
  made.give_text(context);
  return true;
}

// Gives a short text.
bool give(sqlite3_context* context, std::string_view text) {
  NewText made;
  if (!made.reserve(context, text.size())) return true;
  made.append(text);
  made.give_text(context);
  return true;
}

// The shorter of two forms, if it is the same number.
bool quote_real(sqlite3_context* context, double real) {
  constexpr int kMost = 64;
  char literal[kMost];
  sqlite3_snprintf(kMost, literal, "%!.15g", real);
  double read = 0;
  std::from_chars(literal, literal + std::strlen(literal), read);
  if (read != real) sqlite3_snprintf(kMost, literal, "%!.20e", real);
  return give(context, literal);
}

bool quote_blob(sqlite3_context* context, TextWork& work, std::string_view bytes) {
  NewText made;
  if (!made.reserve(context, 2 * bytes.size() + 3)) return true;
  made.append("X'");
  if (!append_hex(made, bytes, work.check)) return false;
  made.append('\'');
  made.give_text(context);
  return true;
}

bool quote_text(sqlite3_context* context, TextWork& work, std::string_view text) {
  size_t size = text.size() + 2;
  const auto count = [&](std::string_view part) {
    size += static_cast<size_t>(std::ranges::count(part, '\''));
  };
  if (!NewText::for_each_part(text, work.check, count)) return false;
  NewText made;
  if (!made.reserve(context, size)) return true;
  made.append('\'');
  const bool ended = NewText::for_each_part(text, work.check, [&](std::string_view part) {
    for (const char byte : part) {
      made.append(byte);
      if (byte == '\'') made.append(byte);
    }
  });
  if (!ended) return false;
  made.append('\'');
  made.give_text(context);
  return true;
}

// The value as a literal of SQL. A text ends at its first NUL.
bool quote(sqlite3_context* context, TextWork& work, Values values) {
  switch (sqlite3_value_type(values[0])) {
    case SQLITE_INTEGER:
      return give(context, text_of(values[0]));
    case SQLITE_FLOAT:
      return quote_real(context, sqlite3_value_double(values[0]));
    case SQLITE_BLOB:
      return quote_blob(context, work, bytes_of(values[0]));
    case SQLITE_TEXT:
      return quote_text(context, work, up_to_nul(text_of(values[0])));
    default:
      return give(context, "NULL");
  }
}

template <auto kBody>
void call(sqlite3_context* context, int count, sqlite3_value** values) {
  TextWork& work = *static_cast<TextWork*>(sqlite3_user_data(context));
  without_exceptions(context, work.stop, [&] {
    if (!kBody(context, work, Values(values, static_cast<size_t>(count))))
      fail_with(context, work.stop, work.stop.error());
  });
}

struct TextFunction {
  const char* name;
  int arity;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr TextFunction kFunctions[] = {
    {"like", 2, call<like>},
    {"like", 3, call<like>},
    {"replace", 3, call<replace>},
    {"instr", 2, call<instr>},
    {"trim", 1, call<trim<true, true>>},
    {"trim", 2, call<trim<true, true>>},
    {"ltrim", 1, call<trim<true, false>>},
    {"ltrim", 2, call<trim<true, false>>},
    {"rtrim", 1, call<trim<false, true>>},
    {"rtrim", 2, call<trim<false, true>>},
    {"upper", 1, call<change_case<'a', 'z', 'A' - 'a'>>},
    {"lower", 1, call<change_case<'A', 'Z', 'a' - 'A'>>},
    {"hex", 1, call<hex>},
    {"quote", 1, call<quote>},
};

}  // namespace

Result<> add_text_functions(sqlite3* db, StopCheck& stop) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const TextFunction& function : kFunctions) {
    auto work = std::make_unique<TextWork>(stop);
    if (sqlite3_create_function_v2(
            db, function.name, function.arity, kFlags, work.release(), function.call, nullptr,
            nullptr, [](void* owned) { delete static_cast<TextWork*>(owned); }) != SQLITE_OK)
      return fail(ErrorCode::Sql, fmt::format("{}(): {}", function.name, sqlite3_errmsg(db)));
  }
  return {};
}

}  // namespace tracebraid
