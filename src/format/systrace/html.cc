#include "format/systrace/html.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/base64.h"
#include "base/words.h"
#include "event/stats.h"
#include "format/common/stats.h"
#include "format/systrace/process_dump.h"
#include "format/systrace/sniff.h"

namespace tracebraid::systrace {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Requires: `word` is in lower case.
bool starts_with_any_case(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(),
                    [](char a, char b) { return a == lower_case(b); });
}

// Returns the position of the next tag ("<script", "</script").
size_t find_tag(std::string_view text, std::string_view tag, size_t from) {
  for (size_t at = text.find('<', from); at != kNone; at = text.find('<', at + 1))
    if (starts_with_any_case(text.substr(at), tag)) return at;
  return kNone;
}

// Returns whether the last bytes of the page contain its end tag.
bool has_end(std::string_view page) {
  for (size_t at = page.rfind('<'); at != kNone; at = page.rfind('<', at - 1)) {
    if (starts_with_any_case(page.substr(at), "</html")) return true;
    if (at == 0) return false;
  }
  return false;
}

bool has_any_case(std::string_view text, std::string_view word) {
  for (size_t at = 0; at + word.size() <= text.size(); ++at)
    if (starts_with_any_case(text.substr(at), word)) return true;
  return false;
}

// Returns the content of a script's string: resolves escapes and joins lines continued by '\'.
std::string unescape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'n') result += '\n';
    if (c == 't') result += '\t';
    if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    if (c != 'n' && c != 't' && c != '\r' && c != '\n') result += c;
  }
  return result;
}

// Returns the string after `at`, up to its closing quote.
std::optional<std::string_view> quoted(std::string_view text, size_t at) {
  at = text.find('"', at);
  if (at == kNone) return std::nullopt;
  for (size_t end = at + 1; end < text.size(); ++end) {
    if (text[end] == '\\') {
      ++end;
      continue;
    }
    if (text[end] == '"') return text.substr(at + 1, end - at - 1);
  }
  return text.substr(at + 1);  // the page is truncated
}

class Page {
 public:
  Page(std::string_view page, const std::shared_ptr<const void>& owner, Chunks& chunks,
       TextFile& file)
      : page_(page), owner_(owner), sink_(chunks.add()), file_(file) {
    kernel_text::add_text_clock(sink_);
  }

  void read() {
    if (!has_end(page_)) sink_.count(stats::trace_truncated, page_.size());
    for (size_t at = 0; (at = find_tag(page_, "<script", at)) != kNone;) {
      const size_t open = page_.find('>', at);
      if (open == kNone) return;
      const std::string_view tag = page_.substr(at, open - at);
      const size_t close = std::min(find_tag(page_, "</script", open), page_.size());
      const std::string_view content = page_.substr(open + 1, close - open - 1);
      if (has_any_case(tag, "trace-data") || has_any_case(tag, "viewer-data"))
        read_section(trim_lines(content));
      else
        read_script(content);
      at = close;
    }
  }

 private:
  void read_script(std::string_view script) {
    constexpr std::string_view kVariable = "linuxPerfData";
    size_t at = script.find(kVariable);
    if (at == kNone) return;
    at += kVariable.size();
    const size_t value = script.find_first_not_of(" \t", at);
    if (value == kNone || script[value] != '=') return;
    const std::optional<std::string_view> text = quoted(script, value);
    if (!text) return;
    const auto plain = std::make_shared<const std::string>(unescape(*text));
    file_.read(*plain, offset_of(*text), plain);
  }

  void read_section(std::string_view text) {
    ++sections_;
    if (text.empty() || text.starts_with("CGROUP DUMP")) return;
    if (text.starts_with("PROCESS DUMP")) return read_process_dump(text, sink_);
    if (text[0] == '{' || text[0] == '[' || text.starts_with("# BattOr") ||
        text.starts_with("ATRACE_PROCESS_DUMP"))
      return embed(std::string(text));
    if (is_text(text.substr(0, kPeekBytes))) return file_.read(text, offset_of(text), owner_);
    std::optional<std::string> bytes = from_base64(text);
    if (bytes && bytes->starts_with("\x1f\x8b")) return embed(*std::move(bytes));  // gzip
    sink_.count(stats::embedded_trace_unrecognised, offset_of(text),
                text.substr(0, std::min<size_t>(text.size(), 80)));
  }

  void embed(std::string bytes) {
    sink_.batch().embedded.push_back({"trace-data-" + std::to_string(sections_), std::move(bytes)});
  }

  uint64_t offset_of(std::string_view part) const {
    return static_cast<uint64_t>(part.data() - page_.data());
  }

  std::string_view page_;
  const std::shared_ptr<const void>& owner_;
  EventSink& sink_;
  TextFile& file_;
  size_t sections_ = 0;
};

}  // namespace

bool is_html(std::string_view head) {
  head = trim_lines(without_byte_order_mark(head));
  return starts_with_any_case(head, "<!doctype html") || starts_with_any_case(head, "<html");
}

void read_html(std::string_view page, const std::shared_ptr<const void>& owner, Chunks& chunks,
               TextFile& file) {
  Page(page, owner, chunks, file).read();
}

}  // namespace tracebraid::systrace
