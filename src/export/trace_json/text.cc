#include "export/trace_json/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "export/rows/cell_text.h"
#include "query/functions/arg_json.h"

namespace tracebraid {
namespace {

constexpr std::string_view kArgsPrefix = "args.";

std::string_view shown_key(std::string_view key) {
  if (key.starts_with(kArgsPrefix)) key.remove_prefix(kArgsPrefix.size());
  return key;
}

bool is_flat(const Store& store, const ArgSet& rows) {
  for (const ArgRow row : rows) {
    const ArgKey& of = store.args.keys[row.key];
    if (!of.key) return false;
    // A bracket that is no index is part of the name.
    const bool has_index = of.key != of.flat_key;
    if (shown_key(store.strings.get(of.key)).find_first_of(has_index ? ".[" : ".") !=
        std::string_view::npos)
      return false;
  }
  return true;
}

void append_value(std::string& to, const Store& store, const ArgRow& row) {
  switch (row.type) {
    case ArgType::String: {
      const StringId text{static_cast<uint32_t>(row.value)};
      append_json_string(to, text ? store.strings.get(text) : std::string_view());
      return;
    }
    case ArgType::Json: {
      const StringId text{static_cast<uint32_t>(row.value)};
      to += text ? store.strings.get(text) : "null";
      return;
    }
    case ArgType::Real: {
      const auto real = std::bit_cast<double>(row.value);
      if (std::isfinite(real))
        append_exact_real(to, real);
      else
        to += std::isnan(real) ? "\"NaN\"" : real > 0 ? "\"Infinity\"" : "\"-Infinity\"";
      return;
    }
    case ArgType::Bool:
      to += row.value != 0 ? "true" : "false";
      return;
    case ArgType::Uint:
      fmt::format_to(std::back_inserter(to), "{}", static_cast<uint64_t>(row.value));
      return;
    case ArgType::Pointer:
      fmt::format_to(std::back_inserter(to), "\"0x{:x}\"", static_cast<uint64_t>(row.value));
      return;
    case ArgType::Null:
      to += "null";
      return;
    default:
      append_integer(to, row.value);
      return;
  }
}

// Whether an arg is from "args" of the event; readers add others, which are not in the file.
void append_nested(std::string& to, const Store& store, uint32_t arg_set_id) {
  const std::string text = arg_set_json(store.args, arg_set_id, store.strings, Reals::Exact);
  constexpr std::string_view kWrapped = "{\"args\":{";
  const auto is_arg = [&](const ArgRow& row) {
    return store.strings.get(store.args.keys[row.key].key).starts_with(kArgsPrefix);
  };
  const bool only_args = std::ranges::all_of(store.args.set(arg_set_id), is_arg);
  if (only_args && text.starts_with(kWrapped) && text.ends_with("}}"))
    to.append(text, kWrapped.size() - 1, text.size() - kWrapped.size());
  else
    to += text;
}

}  // namespace

void append_micros(std::string& to, int64_t ns) {
  const bool is_negative = ns < 0;
  const uint64_t value = is_negative ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  if (is_negative) to += '-';
  const fmt::format_int whole(value / 1000);
  to.append(whole.data(), whole.size());
  const auto rest = static_cast<unsigned>(value % 1000);
  if (rest == 0) return;
  const char digits[] = {'.', static_cast<char>('0' + rest / 100),
                         static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  to.append(digits, sizeof digits);
}

void append_args(std::string& to, const Store& store, uint32_t arg_set_id) {
  const ArgSet rows = store.args.set(arg_set_id);
  if (!is_flat(store, rows)) {
    append_nested(to, store, arg_set_id);
    return;
  }
  to += '{';
  for (const ArgRow row : rows) {
    if (to.back() != '{') to += ',';
    append_json_string(to, shown_key(store.strings.get(store.args.keys[row.key].key)));
    to += ':';
    append_value(to, store, row);
  }
  to += '}';
}

}  // namespace tracebraid
