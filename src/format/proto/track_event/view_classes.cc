#include "format/proto/track_event/view_classes.h"

namespace tracebraid::proto {

ViewClasses view_classes(const EventBatch& batch) {
  ViewClasses classes;
  const Deobfuscation* first = nullptr;
  for (const Deobfuscation& entry : batch.stacks.deobfuscations) {
    if (entry.kind != Deobfuscation::Kind::Class || !entry.package) continue;
    if (first == nullptr) first = &entry;
    if (entry.package == first->package && entry.version_code == first->version_code)
      classes.try_emplace(std::string(batch.strings.get(entry.obfuscated)),
                          batch.strings.get(entry.name));
  }
  return classes;
}

void rename_view_classes(const ViewClasses& classes, EventBatch& batch) {
  if (classes.empty()) return;
  const StringId name = batch.strings.find("android_view_dump.activity.view.class_name");
  if (!name) return;
  for (ArgRow& row : batch.args.rows) {
    if (row.type != ArgType::String || batch.args.keys[row.key].flat_key != name) continue;
    const StringId text{static_cast<uint32_t>(row.value)};
    if (!text) continue;
    if (const auto known = classes.find(std::string(batch.strings.get(text)));
        known != classes.end())
      row.value = batch.strings.intern(known->second).row;
  }
}

}  // namespace tracebraid::proto
