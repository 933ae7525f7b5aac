// The list of the handles that exist, in debug builds.
#include "capi/handles.h"

#ifndef NDEBUG

#include <unordered_set>

namespace tracebraid::capi {
namespace {

struct Owners {
  std::mutex mutex;
  std::unordered_set<const Owner*> all;
};

// Never destroyed, because a program may free handles when it ends.
Owners& owners() {
  static auto& made = *new Owners;
  return made;
}

}  // namespace

Owner::Owner() {
  const std::lock_guard lock(owners().mutex);
  owners().all.insert(this);
}

Owner::~Owner() {
  const std::lock_guard lock(owners().mutex);
  owners().all.erase(this);
}

bool Owner::exists(const Owner* owner) {
  const std::lock_guard lock(owners().mutex);
  return owners().all.contains(owner);
}

}  // namespace tracebraid::capi

#endif
