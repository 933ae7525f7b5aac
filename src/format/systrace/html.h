// Traces in HTML pages: systrace and trace2html (spec json 10.9, 11.6).
#pragma once

#include <memory>
#include <string_view>

#include "format/systrace/text_file.h"

namespace tracebraid::systrace {

bool is_html(std::string_view head);

// Reads the texts in the page; traces of other formats become embedded files.
void read_html(std::string_view page, const std::shared_ptr<const void>& owner, Chunks& chunks,
               TextFile& file);

}  // namespace tracebraid::systrace
