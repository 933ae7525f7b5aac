// tracebraid docs: pages of the manual that are generated from the program itself.
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/text_file.h"
#include "engine/formats.h"

namespace tracebraid {
namespace {

Result<ExitCode> run_docs(std::span<const std::string> given) {
  const std::string_view page = given.size() == 1 ? std::string_view(given[0]) : "";
  if (page != "tables" && page != "modules" && page != "formats")
    return fail(ErrorCode::Usage, "name a page: tables, modules or formats");
  TB_TRY(print(page == "tables"    ? tables_page()
               : page == "modules" ? modules_page()
                                   : formats_page()));
  return kExitFine;
}

}  // namespace

Command docs_command() {
  return {
      .name = "docs",
      .usage = "tables|modules|formats",
      .about = "print a generated page of the manual",
      .details =
          "Prints Markdown, generated from the declarations of tables, modules of SQL and formats.",
      .words = {"tables", "modules", "formats"},
      .takes_files = false,
      .examples = {{"tracebraid docs tables > docs/sql-tables.md", "each table and its columns"},
                   {"tracebraid docs modules > docs/sql-modules.md", "each module of SQL"},
                   {"tracebraid docs formats > docs/formats.md", "each format"}},
      .run = run_docs,
  };
}

}  // namespace tracebraid
