#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core.h"

/* One run, shared by the thread that works and the one that waits. */
struct job {
  int (*work)(void *context);
  void *context;
  int result;
  int is_done;
  pthread_mutex_t mutex;
  pthread_cond_t done;
};

static void *run_job(void *of) {
  struct job *job = of;
  const int result = job->work(job->context);
  pthread_mutex_lock(&job->mutex);
  job->result = result;
  job->is_done = 1;
  pthread_cond_signal(&job->done);
  pthread_mutex_unlock(&job->mutex);
  return NULL;
}

/* Handlers of signals run on the main thread only. */
static int is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* Starts the work on a thread without signals. Returns 0 if the system provides no thread. */
static int start(struct job *job, pthread_t *thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_mutex_init(&job->mutex, NULL);
  pthread_cond_init(&job->done, NULL);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(thread, NULL, run_job, job);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed == 0;
}

/* Waits up to 50 ms, and returns whether the work is done. */
static int wait_a_while(struct job *job) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50 * 1000 * 1000;
  if (until.tv_nsec >= 1000 * 1000 * 1000) {
    until.tv_nsec -= 1000 * 1000 * 1000;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&job->mutex);
  if (!job->is_done) pthread_cond_timedwait(&job->done, &job->mutex, &until);
  const int is_done = job->is_done;
  pthread_mutex_unlock(&job->mutex);
  return is_done;
}

static void finish(struct job *job, pthread_t thread) {
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&job->mutex);
  pthread_cond_destroy(&job->done);
}

/* The last report of a run. Written by a thread of the library, read by the thread that waits. */
static struct {
  pthread_mutex_t mutex;
} progress_lock = {PTHREAD_MUTEX_INITIALIZER};

struct core_progress {
  const char *stage, *unit;
  unsigned long long done, total;
  int is_new;
};

static int note_progress(void *of, const char *stage, const char *unit, uint64_t done,
                         uint64_t total) {
  struct core_progress *progress = of;
  pthread_mutex_lock(&progress_lock.mutex);
  *progress = (struct core_progress){stage, unit, done, total, 1};
  pthread_mutex_unlock(&progress_lock.mutex);
  return 0;
}

/* Calls the callable of the user, if there is something new. Returns -1 with an exception. */
static int report(struct core_progress *progress, PyObject *callable) {
  pthread_mutex_lock(&progress_lock.mutex);
  const struct core_progress now = *progress;
  progress->is_new = 0;
  pthread_mutex_unlock(&progress_lock.mutex);
  if (!now.is_new) return 0;
  PyObject *result =
      PyObject_CallFunction(callable, "ssKK", now.stage, now.unit, now.done, now.total);
  Py_XDECREF(result);
  return result == NULL ? -1 : 0;
}

int core_run(int (*work)(void *), void *context, tracebraid_control *control, PyObject *progress,
             int *raised) {
  struct job job = {.work = work, .context = context};
  struct core_progress shown = {0};
  pthread_t thread;
  *raised = 0;
  if (progress != NULL) tracebraid_control_on_progress(control, note_progress, &shown, 50, NULL);
  if ((progress == NULL && !is_main_thread()) || !start(&job, &thread)) {
    Py_BEGIN_ALLOW_THREADS job.result = work(context);
    Py_END_ALLOW_THREADS
  } else {
    for (int is_done = 0; !is_done;) {
      Py_BEGIN_ALLOW_THREADS is_done = wait_a_while(&job);
      Py_END_ALLOW_THREADS if (*raised) continue;
      if (PyErr_CheckSignals() != 0 || (progress != NULL && report(&shown, progress) != 0)) {
        *raised = 1;
        tracebraid_control_cancel(control);
      }
    }
    Py_BEGIN_ALLOW_THREADS finish(&job, thread);
    Py_END_ALLOW_THREADS
  }
  if (progress != NULL) tracebraid_control_on_progress(control, NULL, NULL, 50, NULL);
  return job.result;
}

int core_run_unlocked(int (*work)(void *), void *context, tracebraid_control *control,
                      PyObject **exception) {
  struct job job = {.work = work, .context = context};
  pthread_t thread;
  if (!is_main_thread() || !start(&job, &thread)) return work(context);
  int raised = 0;
  while (!wait_a_while(&job)) {
    if (raised) continue;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace); /* of the caller, if it holds the GIL */
    if (PyErr_CheckSignals() != 0) {
      PyObject *new_type = NULL, *new_value = NULL, *new_trace = NULL;
      PyErr_Fetch(&new_type, &new_value, &new_trace);
      PyErr_NormalizeException(&new_type, &new_value, &new_trace);
      PyObject *before = *exception;
      *exception = new_value;
      Py_XDECREF(before);
      Py_XDECREF(new_type);
      Py_XDECREF(new_trace);
      raised = 1;
      tracebraid_control_cancel(control);
    }
    PyErr_Restore(type, value, trace);
    PyGILState_Release(state);
  }
  finish(&job, thread);
  return job.result;
}
