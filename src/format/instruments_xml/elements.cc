#include "format/instruments_xml/elements.h"

#include <absl/container/flat_hash_map.h>
#include <expat.h>
#include <fmt/format.h>

namespace tracebraid::instruments_xml {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr size_t kMaxDepth = 256;

// The callbacks of expat.
class Parser {
 public:
  explicit Parser(const std::function<void(const Row&)>& on_row)
      : parser_(XML_ParserCreate(nullptr)), on_row_(on_row) {
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(
        parser_,
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<Parser*>(self)->begin(name, attributes);
        },
        [](void* self, const XML_Char*) { static_cast<Parser*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_, [](void* self, const XML_Char* text, int size) {
      static_cast<Parser*>(self)->text({text, static_cast<size_t>(size)});
    });
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { XML_ParserFree(parser_); }

  Result<> feed(std::string_view bytes, bool is_last) {
    if (XML_Parse(parser_, bytes.data(), static_cast<int>(bytes.size()), is_last ? 1 : 0) !=
        XML_STATUS_ERROR)
      return {};
    return fail(ErrorCode::BadInput,
                fmt::format("XML error at byte {}: {}", XML_GetCurrentByteIndex(parser_),
                            XML_ErrorString(XML_GetErrorCode(parser_))));
  }

 private:
  void begin(std::string_view name, const XML_Char** attributes);
  void end();
  void text(std::string_view more) {
    if (!open_.empty() && open_.size() <= kMaxDepth) open_.back().element->text += more;
  }

  XML_Parser parser_;
  const std::function<void(const Row&)>& on_row_;
  std::string schema_;
  uint64_t row_at_ = 0;
  struct Open {
    std::string name;
    std::shared_ptr<Element> element;
    std::shared_ptr<const Element> target;  // target of a reference
  };
  std::vector<Open> open_;  // from <row> inwards
  size_t too_deep_ = 0;
  absl::flat_hash_map<std::string, std::shared_ptr<const Element>> defined_;  // by id
};

void Parser::begin(std::string_view name, const XML_Char** attributes) {
  const auto attribute = [&](std::string_view key) -> std::string_view {
    for (const XML_Char** at = attributes; *at != nullptr; at += 2)
      if (key == *at) return at[1];
    return {};
  };
  if (open_.empty()) {
    if (name == "schema") schema_ = attribute("name");
    if (name != "row") return;
    row_at_ = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser_));
  }
  if (open_.size() >= kMaxDepth) {
    ++too_deep_;
    return;
  }
  Open opened{std::string(name), std::make_shared<Element>(), nullptr};
  Element& element = *opened.element;
  // The first attribute determines whether the element refers or defines.
  const std::string_view first = *attributes == nullptr ? "" : *attributes;
  if (first == "ref") {
    const auto at = defined_.find(attributes[1]);
    if (at != defined_.end())
      opened.target = at->second;
    else
      element.is_missing = true;
  } else {
    for (const XML_Char** at = attributes; *at != nullptr; at += 2)
      element.attributes.emplace(at[0], at[1]);
    element.fmt = attribute("fmt");
  }
  open_.push_back(std::move(opened));
}

void Parser::end() {
  if (open_.empty()) return;
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (open_.empty()) {
    on_row_({schema_, row_at_, closed.element.get()});
    return;
  }
  const auto& attributes = closed.element->attributes;
  if (const auto id = attributes.find("id"); id != attributes.end())
    defined_.try_emplace(id->second, closed.element);
  open_.back().element->children.push_back(
      {std::move(closed.name), closed.target ? closed.target : closed.element});
}

}  // namespace

const Element* Element::find(std::string_view child) const {
  for (const Child& of : children)
    if (of.name == child) return of.element.get();
  return nullptr;
}

std::string_view Element::attribute(std::string_view key) const {
  const auto at = attributes.find(key);
  return at == attributes.end() ? std::string_view() : at->second;
}

Result<> read_rows(Input& input, const std::function<void(const Row&)>& on_row, bool& is_cut) {
  Parser parser(on_row);
  is_cut = false;
  while (const std::optional<Block> block = input.next(kBlockBytes)) {
    TB_TRY(parser.feed(block->bytes, false));
    input.done(*block);
  }
  Result<> end = parser.feed({}, true);
  is_cut = !end;
  return end;
}

}  // namespace tracebraid::instruments_xml
