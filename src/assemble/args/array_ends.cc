#include "assemble/args/array_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "event/arg_path.h"

namespace tracebraid {
namespace {

// The position of an array element in its key: `array` [ `index` ] `rest`.
struct Element {
  std::string_view array;
  int64_t index = 0;
  std::string_view rest;
};

// Returns the outermost array in a key: where the key first differs from its flat form.
std::optional<Element> element_of_key(std::string_view flat_key, std::string_view key) {
  const auto differs = std::mismatch(flat_key.begin(), flat_key.end(), key.begin(), key.end());
  const auto bracket = static_cast<size_t>(differs.second - key.begin());
  if (bracket >= key.size() || key[bracket] != '[') return std::nullopt;
  Element element{.array = key.substr(0, bracket)};
  const char* const end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(key.data() + bracket + 1, end, element.index);
  if (error != std::errc() || stop == end || *stop != ']') return std::nullopt;
  element.rest = std::string_view(stop + 1, end);
  return element;
}

std::optional<Element> element_of_path(std::string_view path) {
  ArgSteps steps(path);
  while (const std::optional<ArgStep> step = steps.next())
    if (step->index)
      return Element{path.substr(0, step->begin), static_cast<int64_t>(*step->index),
                     path.substr(step->end)};
  return std::nullopt;
}

void add_element(const std::optional<Element>& element,
                 absl::flat_hash_map<std::string_view, int64_t>& ends) {
  if (!element) return;
  int64_t next = 0;
  if (__builtin_add_overflow(element->index, 1, &next)) return;
  int64_t& end = ends[element->array];
  end = std::max(end, next);
}

// Returns `text` if the element is not moved.
StringId moved(StringId text, const std::optional<Element>& element,
               const absl::flat_hash_map<std::string_view, int64_t>& ends, StringPool& strings) {
  if (!element) return text;
  const auto end = ends.find(element->array);
  int64_t index = 0;
  if (end == ends.end() || __builtin_add_overflow(element->index, end->second, &index)) return text;
  return strings.intern(fmt::format("{}[{}]{}", element->array, index, element->rest));
}

}  // namespace

void ArrayEnds::clear() {
  of_keys_.clear();
  of_paths_.clear();
}

void ArrayEnds::add(const ArgKey& key, bool is_unlisted, const StringPool& strings) {
  if (key.key == key.flat_key) return;
  const std::string_view text = strings.get(key.key);
  if (!is_unlisted) add_element(element_of_key(strings.get(key.flat_key), text), of_keys_);
  add_element(element_of_path(strings.get(key.full_path())), of_paths_);
}

StringId ArrayEnds::continued_key(const ArgKey& key, StringPool& strings) const {
  return moved(key.key, element_of_key(strings.get(key.flat_key), strings.get(key.key)), of_keys_,
               strings);
}

StringId ArrayEnds::continued_path(StringId path, StringPool& strings) const {
  return moved(path, element_of_path(strings.get(path)), of_paths_, strings);
}

}  // namespace tracebraid
