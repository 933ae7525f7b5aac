#include "assemble/samples/deobfuscate.h"

#include <absl/container/flat_hash_map.h>

#include <cctype>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "assemble/samples/deobfuscate_frames.h"

namespace tracebraid {
namespace {

// Returns whether the file ("/data/app/com.app-1/base.apk") belongs to the package.
bool is_of_package(std::string_view path, std::string_view package) {
  constexpr std::string_view kInName = "._";
  for (size_t at = path.find(package); at != std::string_view::npos;
       at = path.find(package, at + 1)) {
    const size_t end = at + package.size();
    const auto continues = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || kInName.find(c) != kInName.npos;
    };
    if ((at == 0 || !continues(path[at - 1])) && (end == path.size() || !continues(path[end])))
      return true;
  }
  return false;
}

// The parts of the text of a type: its class, and the text around the class.
struct TypeName {
  std::string_view before, name, after;
};

TypeName parse_type(std::string_view text) {
  constexpr std::string_view kClass = "java.lang.Class<", kArray = "[]";
  TypeName type{{}, text, {}};
  if (text.starts_with(kClass) && text.ends_with('>'))
    type = {kClass, text.substr(kClass.size(), text.size() - kClass.size() - 1), ">"};
  const auto from = static_cast<size_t>(type.name.data() - text.data());
  size_t end = from + type.name.size();
  while (text.substr(from, end - from).ends_with(kArray)) end -= kArray.size();
  return {type.before, text.substr(from, end - from), text.substr(end)};
}

// Names of classes and fields.
class Deobfuscator {
 public:
  Deobfuscator(std::span<const PlacedBatch> batches, const StringPool& strings)
      : strings_(strings) {
    for (const PlacedBatch& from : batches) {
      for (const Deobfuscation& entry : from.batch.stacks.deobfuscations)
        names_[entry.obfuscated].push_back(&entry);
    }
  }

  bool is_empty() const { return names_.empty(); }

  // Packages use equal short names: if `location` is a file of a package, its names apply. If
  // `location` is no file of an app, all packages apply; of these the last one.
  StringId find(StringId obfuscated, StringId location) const {
    const auto at = names_.find(obfuscated);
    if (at == names_.end()) return {};
    const std::string_view path = location ? strings_.get(location) : std::string_view();
    const bool fits_all = path.find("/data/app/") == path.npos;
    for (const Deobfuscation* entry : at->second | std::views::reverse)
      if (fits_all || !entry->package || is_of_package(path, strings_.get(entry->package)))
        return entry->name;
    return {};
  }

 private:
  const StringPool& strings_;
  absl::flat_hash_map<StringId, std::vector<const Deobfuscation*>> names_;
};

// Renames arrays of a class and its class object, too.
StringId class_name(const Deobfuscator& names, StringId name, StringId location,
                    StringPool& strings) {
  if (!name) return {};
  const TypeName type = parse_type(strings.get(name));
  const StringId found = names.find(strings.find(type.name), location);
  if (!found || (type.before.empty() && type.after.empty())) return found;
  std::string whole(type.before);
  whole += strings.get(found);
  whole += type.after;
  return strings.intern(whole);
}

}  // namespace

void deobfuscate(std::span<const PlacedBatch> batches, Problems& problems, Store& store) {
  const Deobfuscator names(batches, store.strings);
  if (names.is_empty()) return;
  HeapGraphClassTable& classes = store.heap_graph_classes;
  for (size_t row = 0; row < classes.rows(); ++row)
    classes.deobfuscated_name.at(row) =
        class_name(names, classes.name[row], classes.location[row], store.strings);
  HeapGraphReferenceTable& references = store.heap_graph_references;
  for (size_t row = 0; row < references.rows(); ++row) {
    const uint32_t type = store.heap_graph_objects.type_id[references.owner_id[row]].row;
    const StringId location = type == OptRow::kNull ? StringId{} : classes.location[type];
    references.deobfuscated_field_name.at(row) = names.find(references.field_name[row], location);
  }
  deobfuscate_frames(batches, problems, store);
}

}  // namespace tracebraid
