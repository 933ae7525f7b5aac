// LinkedIds: the events whose ids a trace declares to mean the same (spec trace-event-format 4.18).
//
// In: a Store and its FlowIndex. Out: for an event, the first event of each other id of its class.
// Called by the API for the details of an event.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/store.h"
#include "timeline/facts/flow_index.h"
#include "timeline/tracks/event_table.h"

namespace tracebraid::timeline {

// An event of another id with the same meaning.
struct LinkedEvent {
  std::string_view kind;  // async, object or flow
  std::string id;         // canonical
  TableKind table{};
  uint32_t row = 0;
};

// Async slices, snapshots of objects, and slices that a flow with a plain id leaves. Immutable.
class LinkedIds {
 public:
  LinkedIds(const Store& store, const FlowIndex& flows);

  // Returns events of other ids of the class of an event, in order of the file, at most 50.
  std::vector<LinkedEvent> of(TableKind table, uint32_t row) const;

 private:
  struct Member {
    uint32_t id_class = 0;
    LinkedEvent event;
  };
  // Adds an event whose id has a class.
  void note(std::string_view kind, const std::string& id, const std::string& key, TableKind table,
            uint32_t row);

  std::map<std::string, uint32_t> classes_;  // by key of an id
  std::vector<Member> members_;              // one for each kind and id
  std::map<std::string, size_t> numbers_;    // of members, by kind and key
  std::multimap<std::pair<TableKind, uint32_t>, size_t> of_events_;
};

}  // namespace tracebraid::timeline
