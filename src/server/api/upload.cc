#include "server/api/upload.h"

#include <unistd.h>

namespace tracebraid::api {

Upload::~Upload() {
  ::unlink(path.c_str());
  spool.release(size);
}

}  // namespace tracebraid::api
