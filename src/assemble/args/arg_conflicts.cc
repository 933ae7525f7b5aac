#include "assemble/args/arg_conflicts.h"

namespace tracebraid {
namespace {

constexpr std::string_view kRoot = "args.";
// A value of `params` at one end does not replace the value at the other (spec json 3.5).
// DeferredArgs implements this.
constexpr std::string_view kParams = "args.params";

// Calls visit(path, next) for each object and array around the value with this key, until visit
// returns true. `next` is the character after the path: '.' or '['.
template <class Visit>
bool any_container(std::string_view key, Visit visit) {
  for (size_t at = key.find_first_of(".[", kRoot.size()); at != std::string_view::npos;
       at = key.find_first_of(".[", at + 1))
    if (visit(key.substr(0, at), key[at])) return true;
  return false;
}

}  // namespace

bool ArgConflicts::is_nested(std::string_view key) {
  return key.starts_with(kRoot) && key.find_first_of(".[", kRoot.size()) != std::string_view::npos;
}

void ArgConflicts::add_begin(std::string_view key) {
  if (!key.starts_with(kRoot)) return;
  begin_[key] |= kPlain;
  any_container(key, [&](std::string_view path, char next) {
    begin_[path] |= next == '.' ? kObject : kArray;
    return false;
  });
}

void ArgConflicts::add_end(std::string_view key) {
  if (!key.starts_with(kRoot)) return;
  check(key, kPlain);
  any_container(key, [&](std::string_view path, char next) {
    check(path, next == '.' ? kObject : kArray);
    return false;
  });
}

void ArgConflicts::check(std::string_view path, What what) {
  const auto at = begin_.find(path);
  if (at != begin_.end() && (at->second & ~what) != 0 && path != kParams)
    replaced_.insert(at->first);
}

bool ArgConflicts::is_replaced(std::string_view key) const {
  if (!key.starts_with(kRoot)) return false;
  const auto in = [&](std::string_view path, char) { return replaced_.contains(path); };
  return in(key, '\0') || any_container(key, in);
}

}  // namespace tracebraid
