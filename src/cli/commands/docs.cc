// tracebraid docs: pages of the manual that are generated from the program itself.
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/text_file.h"
#include "engine/formats.h"
#include "server/serve.h"

namespace tracebraid {
namespace {

Result<ExitCode> run_docs(std::span<const std::string> given) {
  const std::string_view page = given.size() == 1 ? std::string_view(given[0]) : "";
  if (page == "tables")
    TB_TRY(print(tables_page()));
  else if (page == "modules")
    TB_TRY(print(modules_page()));
  else if (page == "formats")
    TB_TRY(print(formats_page()));
  else if (page == "stats")
    TB_TRY(print(stats_page()));
  else if (page == "api")
    TB_TRY(print(api_page()));
  else
    return fail(ErrorCode::Usage, "name a page: tables, modules, formats, stats or api");
  return kExitFine;
}

}  // namespace

Command docs_command() {
  return {
      .name = "docs",
      .usage = "tables|modules|formats|stats|api",
      .about = "print a generated page of the manual",
      .details =
          "Prints Markdown, generated from the declarations of tables, modules of SQL, formats, "
          "stats, and routes of the server.",
      .words = {"tables", "modules", "formats", "stats", "api"},
      .takes_files = false,
      .examples = {{"tracebraid docs tables > docs/sql-tables.md", "each table and its columns"},
                   {"tracebraid docs modules > docs/sql-modules.md", "each module of SQL"},
                   {"tracebraid docs formats > docs/formats.md", "each format"},
                   {"tracebraid docs stats > docs/stats.md", "each stat"},
                   {"tracebraid docs api > docs/api.md", "each route of the server"}},
      .run = run_docs,
  };
}

}  // namespace tracebraid
