#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace tracebraid {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// The mappings there are, for the handler of SIGBUS: no lock, nothing allocated.
// `begin` is 0 in a free slot and kTaken in one that is being filled.
struct Slot {
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<bool> is_cut{false};
  std::string path;
};
constexpr uintptr_t kTaken = 1;
std::array<Slot, 65536> slots;
std::atomic<size_t> slots_used{0};  // slots behind that were never taken

uintptr_t page_size() {
  static const auto size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

// A page of a mapping is gone: the file shrank. From there on it reads as zeros, so
// that reading can end in good order and say what happened.
void on_bus_error(int signal, siginfo_t* info, void*) {
  const int number = errno;
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  const size_t used = slots_used.load();
  for (size_t i = 0; i < used; ++i) {
    Slot& slot = slots[i];
    const uintptr_t begin = slot.begin.load(), end = slot.end.load();
    if (begin <= kTaken || at < begin || at >= end) continue;
    const uintptr_t page = at & ~(page_size() - 1);
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    slot.is_cut = true;
    errno = number;
    return;
  }
  ::signal(signal, SIG_DFL);  // it comes again, and ends the process
}

void guard_against_bus_errors() {
  static std::once_flag once;
  std::call_once(once, [] {
    (void)page_size();
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

void add_slot(const void* at, size_t size, const std::string& path) {
  guard_against_bus_errors();
  for (size_t i = 0; i < slots.size(); ++i) {
    uintptr_t free = 0;
    if (!slots[i].begin.compare_exchange_strong(free, kTaken)) continue;
    size_t used = slots_used.load();
    while (used <= i && !slots_used.compare_exchange_weak(used, i + 1)) {
    }
    slots[i].path = path;
    slots[i].is_cut = false;
    slots[i].end = reinterpret_cast<uintptr_t>(at) + size;
    slots[i].begin = reinterpret_cast<uintptr_t>(at);
    return;
  }
}

void remove_slot(const void* at) {
  const size_t used = slots_used.load();
  for (size_t i = 0; i < used; ++i) {
    uintptr_t begin = reinterpret_cast<uintptr_t>(at);
    if (slots[i].begin.compare_exchange_strong(begin, 0)) return;
  }
}

tl::unexpected<Error> io_error(const std::string& path) {
  const int number = errno;
  const ErrorCode code = number == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, "cannot open " + path + ": " + std::strerror(number));
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return io_error(path);
  return map(file.fd, path);
}

Result<MappedFile> MappedFile::map(int fd, const std::string& path) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return io_error(path);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorCode::Io, "cannot open " + path + ": is a directory");
  MappedFile mapped;
  mapped.size_ = static_cast<size_t>(status.st_size);
  if (mapped.size_ == 0) return mapped;
  void* at = ::mmap(nullptr, mapped.size_, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) {
    mapped.size_ = 0;
    return io_error(path);
  }
  mapped.at_ = static_cast<const char*>(at);
  add_slot(at, mapped.size_, path);
  ::madvise(at, mapped.size_, MADV_SEQUENTIAL);
  return mapped;
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (at_ == nullptr) return;
  remove_slot(at_);
  ::munmap(const_cast<char*>(at_), size_);
}

// Where the kernel keeps a file in large pieces it maps a whole piece again as soon as a byte of
// it is looked at. So what lies before `part` in the same piece goes as well: whoever still reads
// there gets it back.
void MappedFile::drop(std::string_view part) const {
  constexpr uintptr_t kPiece = uintptr_t{2} << 20;
  const uintptr_t page = page_size();
  const auto first = reinterpret_cast<uintptr_t>(part.data());
  const auto all = reinterpret_cast<uintptr_t>(at_);
  // Bytes that were joined from two parts lie elsewhere.
  if (part.empty() || first < all || first + part.size() > all + size_) return;
  const uintptr_t begin = std::max(first & ~(kPiece - 1), all);
  const auto end = (first + part.size() + page - 1) & ~(page - 1);
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

std::vector<std::string> files_cut_short() {
  std::vector<std::string> paths;
  for (size_t i = 0; i < slots_used.load(); ++i)
    if (slots[i].begin.load() > kTaken && slots[i].is_cut) paths.push_back(slots[i].path);
  return paths;
}

}  // namespace tracebraid
