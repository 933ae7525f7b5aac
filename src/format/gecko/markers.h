// Markers of a Gecko profile as slices (spec json 11.1).
#pragma once

#include <vector>

#include "format/gecko/facts.h"

namespace tracebraid::gecko {

struct MarkersOf {
  const JsonFields& thread;
  const ProfileFacts& facts;
  Strings& strings;
  const std::vector<uint32_t>& callsites;  // of the thread's stack table
  uint32_t thread_name;
};
void read_markers(const MarkersOf& of, EventSink& sink);

}  // namespace tracebraid::gecko
