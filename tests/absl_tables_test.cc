// Hash tables in which allocation number k fails, for each k: they keep their elements, and can be
// destroyed. Fails with a crash or a message if the header is not that of cmake/absl_tables.cmake.
// Prints "fine".
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace {
long left = -1;  // allocations until one fails; -1: none does
}  // namespace

void* operator new(std::size_t size) {
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr int kElements = 100;

// Texts that need an allocation, and ones that do not.
std::string text_of(int i) { return std::string(i % 3 == 0 ? 3 : 40, 'a') + std::to_string(i); }

using Map = absl::flat_hash_map<std::string, std::string>;

// Inserts in each way until an allocation fails. Returns how many elements are in the map.
int fill(Map& map) {
  int done = 0;
  try {
    for (; done < kElements; ++done) {
      const std::string key = text_of(done);
      if (done % 3 == 0) map[key] = "";
      if (done % 3 == 1) map.try_emplace(key, text_of(done));
      if (done % 3 == 2) map.emplace(key, text_of(done));
    }
  } catch (const std::bad_alloc&) {
  }
  return done;
}

// Returns whether the map has the first `count` elements, and perhaps the next one.
bool has_first(const Map& map, int count) {
  int seen = 0;
  for (const auto& [key, value] : map) seen += !key.empty() && value.size() < 100;
  for (int i = 0; i < count; ++i)
    if (!map.contains(text_of(i))) return false;
  return seen == static_cast<int>(map.size()) && (seen == count || seen == count + 1);
}

bool survives(long allocations) {
  Map map;
  left = allocations;
  const int count = fill(map);
  left = -1;
  if (!has_first(map, count)) return false;
  left = allocations;
  try {
    const Map copy = map;
    const absl::flat_hash_set<std::string> keys = [&] {
      absl::flat_hash_set<std::string> made;
      for (const auto& each : map) made.insert(each.first);
      return made;
    }();
  } catch (const std::bad_alloc&) {
  }
  left = -1;
  fill(map);  // with enough memory
  return has_first(map, kElements) && map.size() == kElements;
}

}  // namespace

int main() {
  for (long allocations = 0; allocations < 1000; ++allocations)
    if (!survives(allocations)) {
      std::printf("after %ld allocations: elements are missing\n", allocations);
      return 1;
    }
  std::printf("fine\n");
}
