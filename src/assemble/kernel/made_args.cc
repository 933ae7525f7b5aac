#include "assemble/kernel/made_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tracebraid {
namespace {

bool equal_rows(const ArgRow& a, const ArgRow& b) {
  return a.value == b.value && a.key == b.key && a.type == b.type && a.last == b.last;
}

}  // namespace

MadeArgs& MadeArgs::open() {
  first_ = sets_.rows.size();
  return *this;
}

uint32_t MadeArgs::key_index(ArgKey key) {
  const auto [at, is_new] = keys_.try_emplace(key, static_cast<uint32_t>(sets_.keys.size()));
  if (is_new) sets_.keys.push_back(key);
  return at->second;
}

MadeArgs& MadeArgs::add(std::string_view key, ArgType type, int64_t value) {
  const StringId id = strings_.intern(key);
  sets_.rows.push_back({value, key_index({id, id}), type, false});
  return *this;
}

MadeArgs& MadeArgs::text(std::string_view key, StringId value) {
  return add(key, ArgType::String, value.row);
}

MadeArgs& MadeArgs::element(std::string_view flat, size_t index, ArgType type, int64_t value) {
  const ArgKey key{strings_.intern(flat), strings_.intern(fmt::format("{}[{}]", flat, index))};
  sets_.rows.push_back({value, key_index(key), type, false});
  return *this;
}

ArgSource MadeArgs::close() {
  std::vector<ArgRow>& rows = sets_.rows;
  if (rows.size() == first_) return {};
  rows.back().last = true;
  uint64_t hash = rows.size() - first_;
  for (size_t i = first_; i < rows.size(); ++i)
    hash = (hash ^ static_cast<uint64_t>(rows[i].value) ^ uint64_t{rows[i].key} << 40) *
           0x9E3779B97F4A7C15;
  uint32_t& recent = recent_[(hash >> 32) % kRecent];
  const auto set = rows.begin() + static_cast<ptrdiff_t>(first_);
  if (recent != kNone && std::equal(set, rows.end(), rows.begin() + recent, equal_rows)) {
    rows.erase(set, rows.end());
  } else {
    recent = static_cast<uint32_t>(first_);
  }
  return {source_, recent};
}

}  // namespace tracebraid
