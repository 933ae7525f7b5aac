#include "cli/interrupt.h"

namespace tracebraid {
namespace {

// A signal handler can only be given something through a global.
void (*g_stop)(void* what) = nullptr;
void* g_what = nullptr;

extern "C" void on_sigint(int) {
  if (g_stop != nullptr) g_stop(g_what);
}

}  // namespace

OnInterrupt::OnInterrupt(void (*stop)(void* what), void* what) {
  g_stop = stop;
  g_what = what;
  struct sigaction action = {};
  action.sa_handler = on_sigint;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

OnInterrupt::~OnInterrupt() {
  sigaction(SIGINT, &before_, nullptr);
  g_stop = nullptr;
  g_what = nullptr;
}

}  // namespace tracebraid
