#include <algorithm>

#include "base/assert.h"
#include "tables/registry.h"

namespace tracebraid {
namespace {

// Lines of a module, without the spaces in front.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool is_at_end() {
    while (rest_.starts_with('\n')) rest_.remove_prefix(1);
    return rest_.empty();
  }
  std::string_view next() {
    TB_ASSERT(!rest_.empty());
    const size_t length = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line;
  }
  // The text up to ";\n", and skips that.
  std::string_view statement() {
    const size_t length = rest_.find(";\n");
    TB_ASSERT(length != rest_.npos);
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length + 2);
    return text;
  }
  // The text of comment lines, joined by spaces. `line` is the first line after them.
  std::string comment(std::string_view& line) {
    constexpr std::string_view kMark = "-- ";
    std::string text;
    for (line = next(); line.starts_with(kMark); line = next()) {
      if (!text.empty()) text += ' ';
      text += line.substr(kMark.size());
    }
    TB_ASSERT(!text.empty());
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::vector<RelationDeclaration> read_views(const SqlModule& module) {
  constexpr std::string_view kCreate = "CREATE PERFETTO VIEW ", kAs = ") AS";
  Lines lines(module.text);
  std::string_view line;
  const std::string subject = lines.comment(line);
  std::vector<RelationDeclaration> views;
  while (!lines.is_at_end()) {
    RelationDeclaration view{.kind = RelationKind::View,
                             .name = {},
                             .subject = subject,
                             .about = lines.comment(line),
                             .file = std::string(module.file),
                             .columns = {}};
    TB_ASSERT(line.starts_with(kCreate) && line.ends_with('('));
    view.name = line.substr(kCreate.size(), line.size() - kCreate.size() - 1);
    for (bool is_last = false; !is_last;) {
      std::string about = lines.comment(line);
      is_last = !line.ends_with(',');
      if (!is_last) line.remove_suffix(1);
      const size_t space = line.find(' ');
      TB_ASSERT(space != line.npos);
      view.columns.push_back({std::string(line.substr(0, space)),
                              std::string(line.substr(space + 1)), std::move(about)});
    }
    TB_ASSERT(lines.next() == kAs);
    view.select = lines.statement();
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace tracebraid
