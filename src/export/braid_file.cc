// braid: the merged trace as a file that opens at once.
#include "base/new_file.h"
#include "braid/braid.h"
#include "export/export.h"

namespace tracebraid {
namespace {

Result<ExportReport> write_braid_file(const ExportSource& source, const ExportRequest& request,
                                      Progress& progress) {
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  if (!request.query.empty() || !request.tables.empty() || !selection.is_all())
    return fail(ErrorCode::Usage, "braid writes whole traces; use another kind to export a part");
  TB_TRY_ASSIGN(NewFile file, NewFile::create(request.path, source.files));
  progress.begin("exporting tables", 0);
  ExportReport report;
  TB_TRY_ASSIGN(report.bytes, write_braid(source.merged, 0, file, progress, {&source.timeline, 1}));
  TB_TRY(file.finish());
  for (const TableView& view : source.store().views()) report.rows += view.rows;
  return report;
}

}  // namespace

extern const Exporter braid_exporter;
const Exporter braid_exporter = {"braid", "tracebraid's own file, which opens at once",
                                 write_braid_file};

}  // namespace tracebraid
