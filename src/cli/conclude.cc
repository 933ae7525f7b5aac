#include "cli/conclude.h"

#include "cli/message.h"

namespace tracebraid {

ExitCode conclude(const Verdict& verdict, bool strict) {
  if (!verdict.fails(strict)) return kExitFine;
  for (const std::string& trouble : verdict.troubles) print_error(trouble);
  return kExitTrouble;
}

}  // namespace tracebraid
