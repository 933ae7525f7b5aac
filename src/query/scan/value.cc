#include "query/scan/value.h"

#include <charconv>
#include <cmath>
#include <new>

namespace tracebraid {
namespace {

std::strong_ordering order(double a, double b) {
  if (a < b) return std::strong_ordering::less;
  return a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering order(int64_t a, double b) {
  if (b >= 0x1p63) return std::strong_ordering::less;
  if (b < -0x1p63) return std::strong_ordering::greater;
  const auto whole = static_cast<int64_t>(b);  // rounds towards zero; exact within 64 bits
  if (a != whole) return a <=> whole;
  return order(0.0, b - static_cast<double>(whole));
}

int rank(Cell::Kind kind) {
  switch (kind) {
    case Cell::Kind::Null:
      return 0;
    case Cell::Kind::Int:
    case Cell::Kind::Real:
      return 1;
    case Cell::Kind::Text:
      return 2;
    case Cell::Kind::Blob:
      return 3;
  }
  return 0;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

Cell cell_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return Cell::of(int64_t{sqlite3_value_int64(value)});
    case SQLITE_FLOAT:
      return {Cell::Kind::Real, 0, sqlite3_value_double(value), {}};
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
      const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
      // Reads the bytes of a text as a blob, because reading a text would add a terminator and copy
      // it.
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
      if (bytes == nullptr && size != 0) throw std::bad_alloc();
      return {is_text ? Cell::Kind::Text : Cell::Kind::Blob, 0, 0,
              bytes == nullptr ? std::string_view("", 0) : std::string_view(bytes, size)};
    }
    default:
      return Cell::null();
  }
}

void set_result(sqlite3_context* context, const Cell& cell, bool copy) {
  // SQLITE_TRANSIENT is an old-style cast in sqlite3.h.
  const auto transient = reinterpret_cast<sqlite3_destructor_type>(intptr_t{-1});
  const sqlite3_destructor_type lifetime = copy ? transient : SQLITE_STATIC;
  // A null pointer would read as NULL.
  const char* bytes = cell.text.data() == nullptr ? "" : cell.text.data();
  switch (cell.kind) {
    case Cell::Kind::Null:
      return sqlite3_result_null(context);
    case Cell::Kind::Int:
      return sqlite3_result_int64(context, cell.integer);
    case Cell::Kind::Real:
      return sqlite3_result_double(context, cell.real);
    case Cell::Kind::Text:
      return sqlite3_result_text64(context, bytes, cell.text.size(), lifetime, SQLITE_UTF8);
    case Cell::Kind::Blob:
      return sqlite3_result_blob64(context, bytes, cell.text.size(), lifetime);
  }
}

std::strong_ordering compare(const Cell& a, const Cell& b) {
  if (const auto kinds = rank(a.kind) <=> rank(b.kind); kinds != 0) return kinds;
  switch (a.kind) {
    case Cell::Kind::Null:
      return std::strong_ordering::equal;
    case Cell::Kind::Int:
      return b.kind == Cell::Kind::Int ? a.integer <=> b.integer : order(a.integer, b.real);
    case Cell::Kind::Real:
      if (b.kind == Cell::Kind::Real) return order(a.real, b.real);
      return 0 <=> order(b.integer, a.real);
    case Cell::Kind::Text:
    case Cell::Kind::Blob:
      return a.text <=> b.text;
  }
  return std::strong_ordering::equal;
}

double double_at_least(int64_t value) {
  const auto near = static_cast<double>(value);
  return order(value, near) > 0 ? std::nextafter(near, HUGE_VAL) : near;
}

double double_at_most(int64_t value) {
  const auto near = static_cast<double>(value);
  return order(value, near) < 0 ? std::nextafter(near, -HUGE_VAL) : near;
}

Cell with_numeric_affinity(const Cell& cell) {
  if (cell.kind != Cell::Kind::Text) return cell;
  std::string_view text = trimmed(cell.text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const bool digits = text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  if (text.empty() || !digits || text.starts_with('+')) return cell;
  const char* end = text.data() + text.size();
  int64_t integer = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && at == end)
    return Cell::of(integer);
  double real = 0;
  const auto [at, error] = std::from_chars(text.data(), end, real);
  if (at != end || error != std::errc()) return cell;
  if (real == std::trunc(real) && std::abs(real) < 0x1p51)
    return Cell::of(static_cast<int64_t>(real));
  return Cell::of(real);
}

}  // namespace tracebraid
