#include "query/library/library_tables.h"

#include <memory>
#include <string>
#include <vector>

#include "query/functions/arg_json.h"
#include "query/library/documentation.h"

namespace tracebraid {
namespace {

std::string json_of(const std::vector<DocumentedName>& names) {
  std::string json = "[";
  for (const DocumentedName& name : names) {
    if (json.size() > 1) json += ',';
    json += "{\"name\":";
    append_quoted(json, name.name);
    json += ",\"type\":";
    append_quoted(json, name.type);
    json += ",\"description\":";
    append_quoted(json, name.about);
    json += '}';
  }
  return json + "]";
}

std::string first_sentence(std::string_view text) {
  const size_t end = text.find(". ");
  return std::string(end == text.npos ? text : text.substr(0, end + 1));
}

using Row = std::vector<std::string>;

std::vector<Row> rows_of_library() {
  std::vector<Row> rows;
  for (const DocumentedModule& module : library_documentation()) {
    rows.push_back({module.package(), module.key, module.key, module.key, "MODULE", "1",
                    first_sentence(module.about), first_sentence(module.about), module.about, "",
                    "", "[]", "[]"});
    for (const DocumentedObject& object : module.objects)
      rows.push_back({module.package(), module.key, object.name, module.key + "." + object.name,
                      std::string(name_of(object.kind)), object.is_internal() ? "0" : "1",
                      first_sentence(object.about), first_sentence(object.about), object.about,
                      object.return_type, object.return_about, json_of(object.arguments),
                      json_of(object.columns)});
  }
  return rows;
}

constexpr size_t kExposed = 5, kReturnType = 9, kReturnAbout = 10;

class LibraryRows final : public TableFunctionRows {
 public:
  Result<> call(std::span<const Cell>) override {
    static const std::vector<Row> kRows = rows_of_library();
    rows_ = &kRows;
    is_done_ = false;
    return {};
  }
  Result<size_t> next_chunk() override {
    const size_t rows = is_done_ ? 0 : rows_->size();
    is_done_ = true;
    return rows;
  }
  Cell cell(size_t row, size_t column) const override {
    const std::string& text = (*rows_)[row][column];
    if (column == kExposed) return Cell::of(int64_t{text == "1"});
    const bool is_optional = column == kReturnType || column == kReturnAbout;
    return is_optional && text.empty() ? Cell::null() : Cell::of(std::string_view(text));
  }

 private:
  const std::vector<Row>* rows_ = nullptr;
  bool is_done_ = true;
};

}  // namespace

TableFunction stdlib_objects() {
  return {.name = "__intrinsic_stdlib_objects",
          .about = "Modules of the standard library and the objects that they create.",
          .parameters = {},
          .columns = {{"package", SqlType::Text, "First part of the module's key."},
                      {"module", SqlType::Text, "Key of the module, as INCLUDE takes it."},
                      {"name", SqlType::Text, "Name of the object, or key of the module."},
                      {"qualified_name", SqlType::Text, "Key of the module and the name."},
                      {"object_type", SqlType::Text,
                       "MODULE, TABLE, VIEW, FUNCTION, TABLE_FUNCTION or MACRO."},
                      {"exposed", SqlType::Integer, "0 for internal objects, else 1."},
                      {"short_description", SqlType::Text, "First sentence of the description."},
                      {"summary", SqlType::Text, "First sentence of the description."},
                      {"description", SqlType::Text, "Description."},
                      {"return_type", SqlType::Text, "Type of the result of a function or macro."},
                      {"return_description", SqlType::Text, "Description of the result."},
                      {"args", SqlType::Text, "Arguments as JSON: name, type, description."},
                      {"cols", SqlType::Text, "Columns as JSON: name, type, description."}},
          .open = [] { return std::make_unique<LibraryRows>(); }};
}

}  // namespace tracebraid
