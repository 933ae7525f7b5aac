// Arrays of the index as parts of a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "column/column.h"
#include "tables/part_sink.h"

namespace tracebraid::timeline {

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  static_assert(std::has_unique_object_representations_v<T>, "padding has no defined bytes");
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Appends values as one part.
template <class T>
Result<> append_part(PartSink& sink, std::span<const T> values) {
  TB_TRY(sink.append(bytes_of(values)));
  sink.end_part();
  return {};
}

// Makes values view a part. Returns false if its size or place does not fit the type.
template <class T>
bool view_values(std::string_view part, std::span<const T>& values) {
  if (part.size() % sizeof(T) != 0 || reinterpret_cast<uintptr_t>(part.data()) % alignof(T) != 0)
    return false;
  values = {reinterpret_cast<const T*>(part.data()), part.size() / sizeof(T)};
  return true;
}
template <class T>
bool view_part(std::string_view part, Column<T>& column) {
  std::span<const T> values;
  if (!view_values(part, values)) return false;
  column.view(values);
  return true;
}

}  // namespace tracebraid::timeline
