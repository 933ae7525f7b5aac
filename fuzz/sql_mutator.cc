// The mutator of sql_fuzz: inserts, replaces, removes and swaps statements, and replaces words by
// parts of the dialect's grammar (sql_grammar.inc). Sometimes changes raw bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using Random = std::minstd_rand;
using Rules = std::map<std::string_view, std::vector<std::string_view>>;

constexpr std::string_view kGrammar =
#include "fuzz/sql_grammar.inc"
    ;
constexpr int kMaxDepth = 12;
constexpr size_t kMostGenerated = 4096;

size_t any(Random& random, size_t size) { return size == 0 ? 0 : random() % size; }

Rules parse_rules() {
  Rules rules;
  for (size_t begin = 0; begin < kGrammar.size();) {
    const size_t end = std::min(kGrammar.find('\n', begin), kGrammar.size());
    const std::string_view line = kGrammar.substr(begin, end - begin);
    begin = end + 1;
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    std::vector<std::string_view>& alternatives = rules[line.substr(0, colon)];
    std::string_view rest = line.substr(colon + 2);
    for (size_t bar; (bar = rest.find(" | ")) != std::string_view::npos;
         rest.remove_prefix(bar + 3))
      alternatives.push_back(rest.substr(0, bar));
    alternatives.push_back(rest);
  }
  return rules;
}

// Appends one text of a rule. Deep in the tree prefers alternatives without other rules.
void generate(const Rules& rules, std::string_view name, Random& random, int depth,
              std::string& out) {
  const auto rule = rules.find(name);
  if (rule == rules.end() || out.size() > kMostGenerated) return;
  const std::vector<std::string_view>& alternatives = rule->second;
  std::string_view chosen = alternatives[any(random, alternatives.size())];
  if (depth > kMaxDepth)
    chosen = *std::ranges::min_element(alternatives, {}, [](std::string_view alternative) {
      return std::ranges::count(alternative, '<');
    });
  for (size_t i = 0; i < chosen.size(); ++i) {
    const size_t end = chosen[i] == '<' ? chosen.find('>', i) : std::string_view::npos;
    const std::string_view inner =
        end == std::string_view::npos ? "" : chosen.substr(i + 1, end - i - 1);
    if (inner.empty() || !rules.contains(inner)) {
      if (chosen[i] != '\\') out += chosen[i];
      continue;
    }
    generate(rules, inner, random, depth + 1, out);
    i = end;
  }
}

std::string generated(std::string_view name, Random& random) {
  static const Rules rules = parse_rules();
  std::string out;
  generate(rules, name, random, 0, out);
  return out;
}

// Splits at ';', also within texts: a wrong split is a mutation, too.
std::vector<std::string> statements_of(std::string_view text) {
  std::vector<std::string> statements;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    statements.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return statements;
}

bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

void replace_word(std::string& statement, Random& random) {
  if (statement.empty()) return;
  size_t begin = any(random, statement.size());
  while (begin > 0 && is_word(statement[begin - 1])) --begin;
  size_t end = begin;
  while (end < statement.size() && is_word(statement[end])) ++end;
  constexpr std::string_view kParts[] = {"expr", "col",    "int",  "text", "t",   "operator",
                                         "call", "select", "from", "m",    "tab", "type"};
  statement.replace(begin, end - begin, generated(kParts[any(random, std::size(kParts))], random));
}

void mutate(std::vector<std::string>& statements, Random& random) {
  const size_t at = any(random, statements.size());
  switch (random() % 6) {
    case 0:
    case 1:
      statements.insert(
          statements.begin() + static_cast<std::ptrdiff_t>(any(random, statements.size() + 1)),
          generated("statement", random));
      break;
    case 2:
      if (!statements.empty()) statements[at] = generated("statement", random);
      break;
    case 3:
      if (statements.size() > 1)
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 4:
      if (!statements.empty())
        std::swap(statements[at], statements[any(random, statements.size())]);
      break;
    default:
      if (!statements.empty()) replace_word(statements[at], random);
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  Random random(seed);
  if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<std::string> statements = statements_of({reinterpret_cast<const char*>(data), size});
  for (size_t changes = 1 + random() % 3; changes > 0; --changes) mutate(statements, random);
  std::string text;
  for (const std::string& statement : statements) text += statement + ";";
  if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
