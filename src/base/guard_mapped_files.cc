#include "base/guard_mapped_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

namespace tracebraid {
namespace {

// A mapping. `begin` is 0 in a free slot, and is set last.
struct Slot {
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<std::atomic<uint64_t>*> unreadable_from{nullptr};
};

// A list of slots that only grows and is never freed, so that the handler needs no lock.
struct Chunk {
  std::array<Slot, 256> slots;
  std::atomic<Chunk*> next{nullptr};
};

class Registry final : public MappingGuard {
 public:
  void add(const char* begin, size_t size, std::atomic<uint64_t>& unreadable_from) override {
    const std::lock_guard lock(mutex_);
    Slot& slot = free_slot();
    slot.unreadable_from = &unreadable_from;
    slot.end = reinterpret_cast<uintptr_t>(begin) + size;
    slot.begin = reinterpret_cast<uintptr_t>(begin);
  }

  void remove(const char* begin) noexcept override {
    const std::lock_guard lock(mutex_);
    for (Chunk* chunk = &first_; chunk != nullptr; chunk = chunk->next)
      for (Slot& slot : chunk->slots)
        if (slot.begin == reinterpret_cast<uintptr_t>(begin)) {
          slot.begin = 0;
          return;
        }
  }

  // Called in the handler. Returns whether `at` lies in a mapping, which then reads as zeros from
  // the page of `at` on.
  bool put_zeros(uintptr_t at, uintptr_t page_size) {
    for (Chunk* chunk = &first_; chunk != nullptr; chunk = chunk->next)
      for (Slot& slot : chunk->slots) {
        const uintptr_t begin = slot.begin, end = slot.end;
        if (begin != 0 && begin <= at && at < end)
          return put_zeros(begin, at & ~(page_size - 1), end, *slot.unreadable_from);
      }
    return false;
  }

 private:
  Slot& free_slot() {
    Chunk* chunk = &first_;
    for (;; chunk = chunk->next) {
      for (Slot& slot : chunk->slots)
        if (slot.begin == 0) return slot;
      if (chunk->next == nullptr) break;
    }
    chunk->next = new Chunk;
    return chunk->next.load()->slots[0];
  }

  static bool put_zeros(uintptr_t begin, uintptr_t page, uintptr_t end,
                        std::atomic<uint64_t>& unreadable_from) {
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) return false;
    const uint64_t lost = page - begin;
    uint64_t before = unreadable_from;
    while (lost < before && !unreadable_from.compare_exchange_weak(before, lost)) {
    }
    return true;
  }

  std::mutex mutex_;
  Chunk first_;
};

Registry& registry() {
  static auto* const made = new Registry;  // mappings may outlive static objects
  return *made;
}

// A signal handler can reach its data only through a global.
Registry* g_registry = nullptr;
uintptr_t g_page_size = 0;
bool g_is_on = false;
struct sigaction g_before{};

extern "C" void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int number = errno;
  if (g_registry->put_zeros(reinterpret_cast<uintptr_t>(info->si_addr), g_page_size)) {
    errno = number;
    return;
  }
  if ((g_before.sa_flags & SA_SIGINFO) != 0 && g_before.sa_sigaction != nullptr)
    g_before.sa_sigaction(signal, info, context);
  else if (g_before.sa_handler != SIG_DFL && g_before.sa_handler != SIG_IGN)
    g_before.sa_handler(signal);
  else
    sigaction(signal, &g_before, nullptr);  // returning repeats the fault, which ends the process
}

}  // namespace

MappingGuard& mapping_guard() { return registry(); }

bool is_guarding_mapped_files() { return g_is_on; }

void guard_mapped_files(bool on) {
  if (on == g_is_on) return;
  g_is_on = on;
  if (!on) {
    sigaction(SIGBUS, &g_before, nullptr);
    return;
  }
  g_registry = &registry();
  g_page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &action, &g_before);
}

}  // namespace tracebraid
