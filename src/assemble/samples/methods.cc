#include "assemble/samples/methods.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>

namespace tracebraid {
namespace {

// Path and build id of the module, and address.
using Address = std::tuple<uint32_t, uint32_t, int64_t>;

// The functions by address: the outermost of inlined ones, of the last symbol of an address.
absl::flat_hash_map<Address, StringId> functions_of(const std::vector<PlacedBatch>& batches) {
  absl::flat_hash_map<Address, StringId> functions;
  for (const PlacedBatch& from : batches)
    for (const ModuleSymbols& module : from.batch.stacks.module_symbols)
      for (const AddressSymbols& address : module.addresses) {
        const std::span<const SymbolLine> lines = lines_of(module, address);
        if (!lines.empty())
          functions[{module.path.row, module.build_id.row, address.rel_pc}] = lines.back().function;
      }
  return functions;
}

std::string_view without_end(std::string_view text, std::string_view end) {
  return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

// The interface of "net::mojom::Pipe::Send_Sym::IPCStableHash" is "net.mojom.Pipe".
std::string interface_of(std::string_view function) {
  std::string_view scope = function;
  for (int parts = 0; parts < 2; ++parts) {
    const size_t end = scope.rfind("::");
    if (end == scope.npos) return std::string(function);
    scope = scope.substr(0, end);
  }
  std::string name;
  for (size_t begin = 0; begin <= scope.size();) {
    const size_t end = std::min(scope.find("::", begin), scope.size());
    if (begin > 0) name += '.';
    name += scope.substr(begin, end - begin);
    begin = end + 2;
  }
  return name;
}

// Whether the set of the row has an arg with the key.
bool has_arg(const std::vector<ArgRow>& rows, size_t row, uint32_t key) {
  while (row > 0 && !rows[row - 1].last) --row;
  for (; row < rows.size(); ++row) {
    if (rows[row].key == key) return true;
    if (rows[row].last) return false;
  }
  return false;
}

}  // namespace

void name_methods(std::vector<PlacedBatch>& batches, Stacks& stacks, StringPool& strings) {
  const auto has_methods = [](const PlacedBatch& from) {
    return !from.batch.stacks.methods.empty();
  };
  if (std::ranges::none_of(batches, has_methods)) return;
  const absl::flat_hash_map<Address, StringId> functions = functions_of(batches);
  for (uint32_t i = 0; i < batches.size(); ++i) {
    const StackTables& tables = batches[i].batch.stacks;
    std::vector<ArgRow>& rows = batches[i].batch.args.rows;
    for (const MethodArgs& method : tables.methods) {
      // The args of an event that was dropped may be gone.
      if (size_t{method.first} + 1 >= rows.size() || rows[method.first].key != method.mapping_key)
        continue;
      ArgRow &name = rows[method.first], &other = rows[method.first + 1];
      name.value = int64_t{stacks.method(i, method.mapping, other.value)};
      const StackMapping& mapping = tables.mappings[method.mapping];
      const auto found = functions.find({mapping.name.row, mapping.build_id.row, other.value});
      if (found == functions.end() || !found->second) continue;
      const std::string function(without_end(strings.get(found->second), "()"));
      const bool has_interface = has_arg(rows, method.first, method.interface_key);
      const auto set = [&](ArgRow& row, uint32_t key, std::string_view text) {
        row.key = key;
        row.type = ArgType::String;
        row.value = int64_t{strings.intern(text).row};
      };
      const std::string_view method_name = without_end(function, "_Sym::IPCStableHash");
      set(name, method.name_key, method_name);
      // The second row repeats the first if the event names the interface itself.
      if (has_interface)
        set(other, method.name_key, method_name);
      else
        set(other, method.interface_key, interface_of(function));
    }
  }
}

}  // namespace tracebraid
