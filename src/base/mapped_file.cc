#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
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
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "base/damaged_file.h"

namespace tracebraid {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

constexpr uintptr_t kNothing = ~uintptr_t{0};

// The mappings there are, for the handler of SIGBUS, which takes no lock: `begin` is 0 where
// there is none, and is set last. All others hold slots_mutex.
struct Slot {
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<uintptr_t> lost{kNothing};  // first address that could not be read
  struct stat then{};                     // of the file, as it was mapped
  std::string path;
};
std::array<Slot, 65536> slots;
std::atomic<size_t> slots_used{0};  // slots behind that were never taken
std::mutex slots_mutex;
struct sigaction before_guard{};  // what on_bus_error() was put in the place of
bool is_guarded = false;
std::optional<Error> untold;  // of a mapping that is gone: what damaged_file() has not told yet

uintptr_t page_size() {
  static const auto size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

// A page of a mapping is gone: the file shrank, or the disk failed. From there on it reads as
// zeros, so that reading can end in good order and say what happened.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int number = errno;
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  const size_t used = slots_used.load();
  for (size_t i = 0; i < used; ++i) {
    Slot& slot = slots[i];
    const uintptr_t begin = slot.begin.load(), end = slot.end.load();
    if (begin == 0 || at < begin || at >= end) continue;
    const uintptr_t page = at & ~(page_size() - 1);
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    uintptr_t lost = slot.lost.load();
    while (page < lost && !slot.lost.compare_exchange_weak(lost, page)) {
    }
    errno = number;
    return;
  }
  if ((before_guard.sa_flags & SA_SIGINFO) != 0 && before_guard.sa_sigaction != nullptr)
    before_guard.sa_sigaction(signal, info, context);
  else if (before_guard.sa_handler != SIG_DFL && before_guard.sa_handler != SIG_IGN)
    before_guard.sa_handler(signal);
  else
    ::sigaction(signal, &before_guard, nullptr);  // the fault comes again, and ends the process
}

void add_slot(const void* at, size_t size, const struct stat& then, const std::string& path) {
  const std::lock_guard lock(slots_mutex);
  const auto slot = std::ranges::find_if(slots, [](const Slot& s) { return s.begin == 0; });
  if (slot == slots.end()) return;
  slot->path = path;
  slot->then = then;
  slot->lost = kNothing;
  slot->end = reinterpret_cast<uintptr_t>(at) + size;
  slot->begin = reinterpret_cast<uintptr_t>(at);
  slots_used = std::max(slots_used.load(), static_cast<size_t>(slot - slots.begin()) + 1);
}

// Those in use. slots_mutex must be held.
auto mappings() {
  return std::span(slots).first(slots_used) |
         std::views::filter([](const Slot& slot) { return slot.begin != 0; });
}

int64_t nanoseconds(const timespec& time) {
  constexpr int64_t kSecond = 1'000'000'000;
  return int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

struct Change {
  off_t size_then, size_now;
  bool was_written;
};

// What happened to the file since it was mapped. A file of the same name that took its place
// has not changed the one that is mapped.
Change change_of(const Slot& slot) {
  const off_t then = slot.then.st_size;
  struct stat now{};
  if (::stat(slot.path.c_str(), &now) != 0 || now.st_ino != slot.then.st_ino ||
      now.st_dev != slot.then.st_dev)
    return {then, then, false};
  return {then, now.st_size, nanoseconds(now.st_mtim) != nanoseconds(slot.then.st_mtim)};
}

constexpr std::string_view kCopy = "; copy it when nothing writes to it, and read the copy";

Error shrunk(const std::string& path, uint64_t then, uint64_t now) {
  return {ErrorCode::Io, fmt::format("{}: the file shrank from {} to {} bytes while it was read{}",
                                     path, then, now, kCopy)};
}

Error unreadable(const std::string& path, uint64_t at, int reason) {
  return {ErrorCode::Io, fmt::format("{}: cannot read at byte {}: {}; the disk or the connection "
                                     "to it fails: try again, or read another copy",
                                     path, at, std::strerror(reason))};
}

std::optional<Error> damage_of(const Slot& slot) {
  const Change change = change_of(slot);
  if (change.size_now < change.size_then)
    return shrunk(slot.path, static_cast<uint64_t>(change.size_then),
                  static_cast<uint64_t>(change.size_now));
  if (slot.lost != kNothing) return unreadable(slot.path, slot.lost - slot.begin, EIO);
  if (change.was_written && change.size_now == change.size_then)
    return Error{ErrorCode::Io,
                 fmt::format("{}: the file was written to while it was read{}", slot.path, kCopy)};
  return std::nullopt;
}

void remove_slot(const void* at) {
  const std::lock_guard lock(slots_mutex);
  for (Slot& slot : mappings()) {
    if (slot.begin != reinterpret_cast<uintptr_t>(at)) continue;
    if (slot.lost != kNothing && !untold) untold = damage_of(slot);
    slot.begin = 0;
    return;
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
  add_slot(at, mapped.size_, status, path);
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

void guard_mapped_files(bool on) {
  if (on == is_guarded) return;
  is_guarded = on;
  if (!on) {
    ::sigaction(SIGBUS, &before_guard, nullptr);
    return;
  }
  (void)page_size();  // not for the first time in the handler
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGBUS, &action, &before_guard);
}

std::optional<Error> damaged_file() {
  const std::lock_guard lock(slots_mutex);
  for (const Slot& slot : mappings())
    if (std::optional<Error> damage = damage_of(slot)) return damage;
  return std::exchange(untold, std::nullopt);
}

Error note_damage(const std::string& path, uint64_t at, int reason) {
  const std::lock_guard lock(slots_mutex);
  if (!untold) untold = unreadable(path, at, reason);
  return *untold;
}

Error note_shrunk(const std::string& path, uint64_t then, uint64_t now) {
  const std::lock_guard lock(slots_mutex);
  if (!untold) untold = shrunk(path, then, now);
  return *untold;
}

std::vector<std::string> grown_files() {
  const std::lock_guard lock(slots_mutex);
  std::vector<std::string> paths;
  for (const Slot& slot : mappings())
    if (const Change change = change_of(slot); change.size_now > change.size_then)
      paths.push_back(slot.path);
  return paths;
}

}  // namespace tracebraid
