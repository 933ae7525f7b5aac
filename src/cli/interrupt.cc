#include "cli/interrupt.h"

namespace tracebraid {
namespace {

// A signal handler can reach its data only through a global.
void (*g_stop)(void* what) = nullptr;
void* g_what = nullptr;
volatile std::sig_atomic_t g_signal = 0;

extern "C" void on_signal(int signal) {
  g_signal = signal;
  if (g_stop != nullptr) g_stop(g_what);
}

}  // namespace

OnInterrupt::OnInterrupt(void (*stop)(void* what), void* what)
    : OnInterrupt(stop, what, std::size(kSignals)) {}

OnInterrupt::OnInterrupt(void (*stop)(void* what), void* what, size_t signals) : signals_(signals) {
  g_stop = stop;
  g_what = what;
  g_signal = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < signals_; ++i) {
    sigaction(kSignals[i], &action, &before_[i]);
    // Keeps SIGHUP ignored, as under nohup.
    if (kSignals[i] != SIGINT && before_[i].sa_handler == SIG_IGN)
      sigaction(kSignals[i], &before_[i], nullptr);
  }
}

OnInterrupt::~OnInterrupt() {
  for (size_t i = 0; i < signals_; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  g_stop = nullptr;
  g_what = nullptr;
}

std::optional<int> stopping_signal() {
  return g_signal == 0 ? std::nullopt : std::optional<int>(g_signal);
}

}  // namespace tracebraid
