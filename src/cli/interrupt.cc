#include "cli/interrupt.h"

#include <csignal>

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
  sigaction(SIGINT, &action, nullptr);
}

OnInterrupt::~OnInterrupt() {
  std::signal(SIGINT, SIG_DFL);
  g_stop = nullptr;
  g_what = nullptr;
}

}  // namespace tracebraid
