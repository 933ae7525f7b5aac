// ExportedFile: an export of the service's trace as one file, for sending.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "server/rpc/service.h"
#include "server/work/spool.h"

namespace tracebraid::rpc {

class ExportedFile {
 public:
  // Writes the export to the spool. ArrowTar is a tar of one Arrow file per table. Errors:
  // Unsupported if this build or the request has no such format; Limit if the spool has no room.
  static Result<ExportedFile> write(RpcService& service, ExportFormat format,
                                    const StopPointer& gone);
  // Passes the bytes in chunks to `send`. Returns false if that did, or the file cannot be read.
  bool send(const std::function<bool(std::string_view)>& send) const;

 private:
  ExportedFile(std::shared_ptr<SpoolFolder> folder, Descriptor file)
      : folder_(std::move(folder)), file_(std::move(file)) {}

  std::shared_ptr<SpoolFolder> folder_;
  Descriptor file_;
};

}  // namespace tracebraid::rpc
