// User ids of Android: uid = user * 100,000 + app.
#pragma once

#include <concepts>

namespace tracebraid {

template <std::integral Uid>
constexpr Uid app_of_uid(Uid uid) {
  return uid % Uid{100'000};
}

template <std::integral Uid>
constexpr Uid user_of_uid(Uid uid) {
  return uid / Uid{100'000};
}

}  // namespace tracebraid
