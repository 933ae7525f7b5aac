// What the handlers of kernel events remember from one event to the next.
#pragma once

namespace tracebraid {

struct KernelState {};

}  // namespace tracebraid
