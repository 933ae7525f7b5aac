#include "tables/run_starts.h"

namespace tracebraid {

size_t RunStarts::first_row(uint32_t run) const {
  const std::span<const uint32_t> before = before_.values();
  const auto after = std::ranges::upper_bound(before, run);
  const size_t word = after == before.begin() ? 0 : static_cast<size_t>(after - before.begin()) - 1;
  uint64_t bits = words_[word];
  for (uint32_t skipped = run - before[word]; skipped > 0 && bits != 0; --skipped) bits &= bits - 1;
  return word * kBits + static_cast<size_t>(std::countr_zero(bits));
}

void RunStarts::view(std::span<const uint64_t> words, std::span<const uint32_t> before) {
  words_.view(words);
  before_.view(before);
  runs_ = words.empty() ? 0 : before.back() + static_cast<uint32_t>(std::popcount(words.back()));
}

bool RunStarts::are_sound() const {
  uint32_t runs = 0;
  for (size_t word = 0; word < words_.size(); ++word) {
    if (before_[word] != runs) return false;
    runs += static_cast<uint32_t>(std::popcount(words_[word]));
  }
  return words_.size() == 0 || (words_[0] & 1) != 0;
}

}  // namespace tracebraid
