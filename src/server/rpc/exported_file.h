// ExportedFile: an export of the service's trace as one file, for sending.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "server/rpc/service.h"

namespace tracebraid::rpc {

class ExportedFile {
 public:
  // Writes the export to the spool. ArrowTar is a tar of one Arrow file per table. Error
  // Unsupported: this build or the request has no such format.
  static Result<ExportedFile> write(RpcService& service, ExportFormat format,
                                    const StopPointer& gone);
  // Passes the bytes in chunks to `send`. Returns false if that did, or the file cannot be read.
  bool send(const std::function<bool(std::string_view)>& send) const;

 private:
  explicit ExportedFile(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace tracebraid::rpc
