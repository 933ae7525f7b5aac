#include "kernel/text/details.h"

#include <algorithm>
#include <string>

#include "base/words.h"
#include "event/plain_args.h"

namespace tracebraid {
namespace {

bool is_key_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '-';
}

// Returns the length of the key of the word; 0 if the word is no pair.
size_t key_length(std::string_view word) {
  if (word.empty() || is_digit(word[0]) || !is_key_char(word[0]) || word[0] == '-') return 0;
  size_t length = 0;
  while (length < word.size() && is_key_char(word[length])) ++length;
  return length < word.size() && word[length] == '=' ? length : 0;
}

bool is_name_key(std::string_view key) { return key == "name" || key.ends_with("comm"); }

}  // namespace

std::string_view KernelDetails::text(std::string_view key) const {
  const auto at = std::ranges::find(pairs, key, &KernelPair::key);
  return at == pairs.end() ? std::string_view() : at->value;
}

std::optional<int64_t> KernelDetails::number(std::string_view key) const {
  const std::string_view value = text(key);
  return value.empty() ? std::nullopt : parse_decimal(value);
}

void split_details(std::string_view text, KernelDetails& details) {
  details.pairs.clear();
  details.rest.clear();
  bool in_name = false;  // the value of the last pair may continue
  for (size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    size_t end = std::min(text.find_first_of(" \t", at), text.size());
    std::string_view word = text.substr(at, end - at);
    const size_t key = key_length(word);
    // Probes print texts in quotes: file="a b".
    if (key > 0 && key + 1 < word.size() && word[key + 1] == '"') {
      const size_t quote = text.find('"', at + key + 2);
      if (quote != std::string_view::npos && quote >= end) {
        end = std::min(text.find_first_of(" \t", quote), text.size());
        word = text.substr(at, end - at);
      }
    }
    at = end;
    if (key > 0) {
      details.pairs.push_back({word.substr(0, key), word.substr(key + 1)});
      in_name = is_name_key(details.pairs.back().key) && !word.ends_with(',');
    } else if (in_name && word != "==>") {
      std::string_view& value = details.pairs.back().value;
      value = {value.data(), static_cast<size_t>(word.data() + word.size() - value.data())};
      in_name = !word.ends_with(',');
    } else {
      in_name = false;
      details.rest.push_back(word);
    }
  }
  for (KernelPair& pair : details.pairs)
    if (pair.value.ends_with(',')) pair.value.remove_suffix(1);
}

uint32_t details_args(const KernelDetails& details, EventSink& sink) {
  sink.open_args();
  for (const KernelPair& pair : details.pairs) {
    if (const std::optional<int64_t> number = parse_decimal(pair.value))
      add_int(pair.key, *number, sink);
    else
      add_text(pair.key, pair.value, sink);
  }
  if (!details.rest.empty()) {
    std::string joined;
    for (const std::string_view word : details.rest) {
      if (!joined.empty()) joined += ' ';
      joined += word;
    }
    add_text("details", joined, sink);
  }
  return sink.close_args();
}

}  // namespace tracebraid
