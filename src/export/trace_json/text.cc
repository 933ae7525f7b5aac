#include "export/trace_json/text.h"

#include <fmt/format.h>

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

// Whether no arg is nested, so that each is a member with its key as its name.
bool is_flat(const Store& store, uint32_t arg_set_id) {
  bool is_flat = true;
  store.args.for_each_leaf(arg_set_id, [&](const ArgRow& row) {
    const ArgKey& of = store.args.keys[row.key];
    is_flat &= of.key && !of.path && !row.unlisted;
    if (!is_flat) return;
    // A bracket that is no index is part of the name.
    const bool has_index = of.key != of.flat_key;
    is_flat = shown_key(store.strings.get(of.key)).find_first_of(has_index ? ".[" : ".") ==
              std::string_view::npos;
  });
  return is_flat;
}

void append_value(std::string& to, const Store& store, const ArgRow& row) {
  const StringId text{static_cast<uint32_t>(row.value)};
  if (row.type == ArgType::Int)
    append_integer(to, row.value);
  else if (row.type == ArgType::String)
    append_json_string(to, text ? store.strings.get(text) : std::string_view());
  else
    append_arg_json(to, row, store.strings, Reals::Exact);
}

}  // namespace

std::string_view text_or_empty(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

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
  if (!is_flat(store, arg_set_id)) {
    append_args_json(to, store.args, arg_set_id, store.strings, Reals::Exact);
    return;
  }
  to += '{';
  for (const ArgRow row : store.args.set(arg_set_id)) {
    if (to.back() != '{') to += ',';
    append_json_string(to, shown_key(store.strings.get(store.args.keys[row.key].key)));
    to += ':';
    append_value(to, store, row);
  }
  to += '}';
}

}  // namespace tracebraid
