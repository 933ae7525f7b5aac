// Upload: a file that a client sends in chunks into the spool.
#pragma once

#include <atomic>
#include <string>

#include "server/api/tracked_run.h"
#include "server/work/spool.h"

namespace tracebraid::api {

struct Upload {
  Upload(uint64_t with_id, std::string label, uint64_t bytes, Spool& in)
      : id(with_id),
        name(std::move(label)),
        size(bytes),
        path(in.folder() + "/upload-" + std::to_string(with_id)),
        spool(in) {}
  ~Upload();  // removes the file
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  const uint64_t id;
  const std::string name;  // a label, never a path
  const uint64_t size;     // as declared; counted in the spool
  const std::string path;
  Spool& spool;
  std::atomic<uint64_t> received{0};
  std::atomic<bool> is_writing{false};  // a request writes a chunk
  std::atomic<Clock::rep> used{Clock::now().time_since_epoch().count()};
};

}  // namespace tracebraid::api
