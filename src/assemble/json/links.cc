#include "assemble/json/links.h"

#include <algorithm>

namespace tracebraid {

void JsonLinks::add(const JsonEvent& at) {
  const JsonLink& link = at.from.batch.json.links[at.event.extra];
  const JsonId& a = id_at(at.from, link.a);
  const JsonId& b = id_at(at.from, link.b);
  const JsonKey key_a = key_of(at.from, a, identity_);
  const JsonKey key_b = key_of(at.from, b, identity_);
  JsonLinkedIdTable& table = store_.json.linked_ids;
  table.ts.append(at.event.ts);
  table.utid.append(identity_.thread(at.event.track));
  table.category.append(at.event.category);
  table.name.append(at.event.name);
  table.id_a.append(a.spelling);
  table.scope_a.append(a.scope);
  table.upid_a.append({key_a.upid});
  table.id_b.append(b.spelling);
  table.scope_b.append(b.scope);
  table.upid_b.append({key_b.upid});
  const uint32_t first = index_of(key_a);
  classes_.join(first, index_of(key_b));
}

void JsonLinks::list_links() {
  for (uint32_t index = 0; index < keys_.size(); ++index) add_row("link", index);
}

void JsonLinks::list(std::string_view kind, const JsonKey& key) {
  if (const auto at = indexes_.find(key); at != indexes_.end()) add_row(kind, at->second);
}

void JsonLinks::add_row(std::string_view kind, uint32_t index) {
  const JsonKey& key = keys_[index];
  JsonIdClassTable& table = store_.json.id_classes;
  table.kind.append(store_.strings.intern(kind));
  table.id_text.append(key.canonical);
  table.scope.append(key.scope);
  table.upid.append({key.upid});
  table.class_id.append(classes_.root(index));
}

uint32_t JsonLinks::index_of(const JsonKey& key) {
  const auto [at, is_new] = indexes_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
  if (is_new) {
    keys_.push_back(key);
    classes_.add();
  }
  return at->second;
}

}  // namespace tracebraid
