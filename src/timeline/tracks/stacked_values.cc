#include "timeline/tracks/stacked_values.h"

#include <algorithm>
#include <utility>

namespace tracebraid::timeline {

size_t StackedValues::memory() const {
  return times.capacity() * sizeof(int64_t) + values.capacity() * sizeof(double) + totals.memory();
}

StackedValues stack_values(const TrackIndex& index, const RowLists& lists,
                           const CounterTable& counters) {
  StackedValues stack;
  stack.series = index.lines.lines();
  stack.times.reserve(index.lines.events());
  for (size_t line = 0; line < stack.series; ++line) {
    LineReader reader(index.lines, line);
    const auto middle = static_cast<ptrdiff_t>(stack.times.size());
    for (size_t event = 0; event < reader.size(); ++event)
      stack.times.push_back(reader.start(event));
    std::ranges::inplace_merge(stack.times, stack.times.begin() + middle);
  }
  const auto repeated = std::ranges::unique(stack.times);
  stack.times.erase(repeated.begin(), repeated.end());
  stack.times.shrink_to_fit();
  stack.values.resize(stack.times.size() * stack.series);
  std::vector<uint32_t> rows;
  for (size_t line = 0; line < stack.series; ++line) {
    LineReader reader(index.lines, line);
    rows.resize(reader.size());
    lists.rows().read(lists.begin(index.list_lines[line]), rows);
    size_t at = 0;
    for (size_t event = 0; event < reader.size(); ++event) {
      while (stack.times[at] < reader.start(event)) ++at;
      stack.values[at * stack.series + line] = counters.value[rows[event]];
    }
  }
  std::vector<double> totals(stack.times.size());
  for (size_t at = 0; at < totals.size(); ++at)
    for (size_t line = 0; line < stack.series; ++line)
      totals[at] += stack.values[at * stack.series + line];
  stack.totals = ValueTree(std::move(totals));
  return stack;
}

}  // namespace tracebraid::timeline
