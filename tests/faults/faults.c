// Preloaded before the C library (LD_PRELOAD); makes system calls fail as a test requests:
//
//   FAULT_FILE=PATH        the file of the next three variables
//   FAULT_READ_AT=N        its bytes from N on cannot be read: EIO, and SIGBUS if it is mapped
//   FAULT_SHRINK_TO=N      it is truncated to N bytes as soon as it is mapped
//   FAULT_TOUCH=1          its first byte is then written again
//   FAULT_ALLOCATION=N     the N-th allocation fails (on the thread that makes it)
//   FAULT_ALLOCATIONS=N    the N-th and all later ones fail
//   FAULT_STACKS=PATH      writes for each allocation a number of 8 bytes that identifies the
//                          calling stack
//   FAULT_THREADS=N        at most N threads besides the first can be created
//   FAULT_DELAYS=SEED      threads pause at some of the places where they take a lock
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations;
static unsigned long fail_once, fail_from;
static int is_ready;
static int stacks = -1;  // file of FAULT_STACKS

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? -1 : strtol(text, NULL, 10);
}

static unsigned long stack_number(void) {
  void *frames[64];
  int depth = backtrace(frames, 64);
  unsigned long number = 14695981039346656037UL;
  for (int i = 0; i < depth; ++i) number = (number ^ (unsigned long)frames[i]) * 1099511628211UL;
  return number;
}

// The first call of main(). A failure before it ends every program.
int mallopt(int what, int value) {
  (void)what, (void)value;
  long once = number_of("FAULT_ALLOCATION"), from = number_of("FAULT_ALLOCATIONS");
  fail_once = once > 0 ? (unsigned long)once : 0;
  fail_from = from > 0 ? (unsigned long)from : 0;
  const char *path = getenv("FAULT_STACKS");
  if (path != NULL) {
    stacks = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    stack_number();  // allocates in the first call
  }
  is_ready = 1;
  return 1;
}

static int fails(void) {
  if (!is_ready) return 0;
  unsigned long number = atomic_fetch_add(&allocations, 1) + 1;
  if (stacks >= 0) {
    unsigned long stack = stack_number();
    off_t at = (off_t)((number - 1) * sizeof stack);
    if (pwrite(stacks, &stack, sizeof stack, at) != sizeof stack) abort();
  }
  int failing = number == fail_once || (fail_from != 0 && number >= fail_from);
  if (failing) errno = ENOMEM;
  return failing;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *at, size_t size) { return fails() ? NULL : __libc_realloc(at, size); }
void *memalign(size_t alignment, size_t size) {
  return fails() ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **at, size_t alignment, size_t size) {
  *at = memalign(alignment, size);
  return *at == NULL ? ENOMEM : 0;
}

// Returns whether `fd` is the file of the test.
static int is_file(int fd) {
  const char *path = getenv("FAULT_FILE");
  struct stat wanted, given;
  return fd >= 0 && path != NULL && stat(path, &wanted) == 0 && fstat(fd, &given) == 0 &&
         wanted.st_ino == given.st_ino && wanted.st_dev == given.st_dev;
}

ssize_t read(int fd, void *into, size_t size) {
  long from = number_of("FAULT_READ_AT");
  if (from >= 0 && is_file(fd)) {
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at >= from) {
      errno = EIO;
      return -1;
    }
    if ((size_t)(from - at) < size) size = (size_t)(from - at);
  }
  return syscall(SYS_read, fd, into, size);
}

static void *plain_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  char *mapped = plain_mmap(at, size, protection, flags, fd, offset);
  if (mapped == MAP_FAILED || !is_file(fd)) return mapped;
  const char *path = getenv("FAULT_FILE");
  long lost = number_of("FAULT_READ_AT"), shrunk = number_of("FAULT_SHRINK_TO");
  long page = sysconf(_SC_PAGESIZE);
  lost = lost < 0 ? -1 : lost / page * page;
  if (lost >= 0 && (size_t)lost < size) {
    // Maps pages of an empty file: accessing them raises the signal of a failing disk.
    int empty = memfd_create("empty", MFD_CLOEXEC);
    plain_mmap(mapped + lost, size - (size_t)lost, protection, flags | MAP_FIXED, empty, 0);
    close(empty);
  }
  static atomic_int mappings;
  if (atomic_fetch_add(&mappings, 1) != 0) return mapped;
  if (shrunk >= 0 && truncate(path, shrunk) != 0) abort();
  if (getenv("FAULT_TOUCH") != NULL) {
    int out = open(path, O_WRONLY);
    if (out < 0 || pwrite(out, mapped, 1, 0) != 1) abort();
    close(out);
  }
  return mapped;
}
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  return mmap(at, size, protection, flags, fd, offset);
}

// Delays of a thread: pseudo-random numbers, from the seed and the number of threads before.
static void delay(void) {
  static atomic_long seed = -2;
  static atomic_ulong threads;
  static _Thread_local unsigned long state;
  if (atomic_load(&seed) == -2) atomic_store(&seed, number_of("FAULT_DELAYS"));
  if (atomic_load(&seed) < 0) return;
  if (state == 0)
    state = ((unsigned long)atomic_load(&seed) * 1000 + atomic_fetch_add(&threads, 1) + 1) *
            0x9E3779B97F4A7C15;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  struct timespec nap = {0, (long)(state >> 40) % 500000};
  if (state % 32 == 0) nanosleep(&nap, NULL);
  if (state % 4 == 1) sched_yield();
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*_Atomic next)(pthread_mutex_t *);
  if (next == NULL) next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  delay();
  return next(mutex);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) {
  static atomic_long made;
  long most = number_of("FAULT_THREADS");
  if (most >= 0 && atomic_fetch_add(&made, 1) >= most) return EAGAIN;
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
          RTLD_NEXT, "pthread_create");
  return next(thread, attributes, body, argument);
}
