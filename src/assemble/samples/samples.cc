#include "assemble/samples/samples.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "assemble/saturate.h"
#include "assemble/stats.h"

namespace tracebraid {
namespace {

template <class Map, class Key>
uint32_t row_of(Map& map, const Key& key, size_t rows, bool& added) {
  const auto [at, is_new] = map.try_emplace(key, static_cast<uint32_t>(rows));
  added = is_new;
  return at->second;
}

int64_t growth(int64_t now, int64_t before) {
  int64_t more = 0;
  return __builtin_sub_overflow(now, before, &more) ? 0 : more;
}

// Returns the sum, or `value` if the sum overflows.
int64_t total(int64_t value, int64_t base) {
  int64_t sum = 0;
  return __builtin_add_overflow(value, base, &sum) ? value : sum;
}

}  // namespace

Samples::Samples(const Names& names, Identity& identity, Cpus& cpus, Tracks& tracks, Stacks& stacks,
                 Problems& problems, Store& store)
    : identity_(identity),
      cpus_(cpus),
      tracks_(tracks),
      stacks_(stacks),
      problems_(problems),
      store_(store),
      unknown_heap_(store.strings.intern("unknown")),
      java_heap_(store.strings.find("com.android.art")) {
  ProfilerSessionTable& table = store.profiler_sessions;
  for (const SampleSession& session : names.sessions) {
    table.source.append(session.source);
    table.timebase_unit.append(session.timebase_unit);
    table.cmdline.append(session.cmdline);
    table.machine_id.append({session.machine});
    table.trace_id.append({session.file.row});
  }
}

void Samples::add(const SampledEvent& at) {
  const SampleExtra none;
  const SampleExtra& extra =
      at.event->extra == kNone ? none : at.from->batch.stacks.samples[at.event->extra];
  const uint32_t utid = identity_.thread(at.event->track);
  const uint32_t callsite = stacks_.callsite(at.batch, extra.callsite);
  if (extra.rows != SampleRows::Profiler) add_json_row(at, extra, utid, callsite);
  if (extra.rows != SampleRows::Json || callsite != kNone)
    add_profiler_row(at, extra, utid, callsite);
}

void Samples::add_json_row(const SampledEvent& at, const SampleExtra& extra, uint32_t utid,
                           uint32_t callsite) {
  JsonSampleTable& table = store_.json_samples;
  table.ts.append(at.event->ts);
  table.utid.append({utid});
  table.cpu.append({extra.cpu < 0 ? OptInt::kNull : extra.cpu});
  table.name.append(at.event->name);
  table.weight.append(std::bit_cast<double>(at.event->value));
  table.callsite_id.append({callsite});
  table.source.append(at.event->category);
}

void Samples::add_profiler_row(const SampledEvent& at, const SampleExtra& extra, uint32_t utid,
                               uint32_t callsite) {
  ProfilerSampleTable& table = store_.profiler_samples;
  const auto row = static_cast<uint32_t>(table.ts.size());
  table.ts.append(at.event->ts);
  table.source.append(at.event->category);
  table.task_context_id.append({task_context(at, extra, utid)});
  table.execution_context_id.append({execution_context(at, extra)});
  table.callsite_id.append({callsite});
  table.unwind_error.append(extra.unwind_error);
  table.session_id.append({extra.session});
  table.counter_set_id.append({counters(at, extra.counters)});
  if (extra.priority != kNoId) {
    store_.chrome_sample_extras.profiler_sample_id.append(row);
    store_.chrome_sample_extras.process_priority.append(extra.priority);
  }
}

uint32_t Samples::task_context(const SampledEvent& at, const SampleExtra& extra, uint32_t utid) {
  const uint32_t upid =
      utid != kNone ? store_.threads.upid[utid].row : identity_.process(extra.process);
  const uint32_t async = async_context(at, extra.async_context);
  if (utid == kNone && upid == kNone && async == kNone) return kNone;
  const TaskKey key{upid, utid, async};
  if (key == last_task_.first) return last_task_.second;
  ProfilerTaskContextTable& table = store_.profiler_task_contexts;
  bool added = false;
  const uint32_t row = row_of(task_contexts_, key, table.rows(), added);
  if (added) {
    table.upid.append({upid});
    table.utid.append({utid});
    table.async_context_id.append({async});
  }
  last_task_ = {key, row};
  return row;
}

uint32_t Samples::execution_context(const SampledEvent& at, const SampleExtra& extra) {
  const bool has_cpu = extra.cpu >= 0 && cpus_.note(at.machine, extra.cpu);
  if (!has_cpu && !extra.cpu_mode) return kNone;
  const uint32_t ucpu = has_cpu ? ucpu_of(at.machine, static_cast<uint32_t>(extra.cpu)) : kNone;
  ProfilerExecutionContextTable& table = store_.profiler_execution_contexts;
  bool added = false;
  const uint32_t row =
      row_of(execution_contexts_, std::pair(ucpu, extra.cpu_mode), table.rows(), added);
  if (added) {
    table.ucpu.append({ucpu});
    table.cpu_mode.append(extra.cpu_mode);
  }
  return row;
}

uint32_t Samples::async_context(const SampledEvent& at, uint32_t index) {
  const std::vector<AsyncContext>& all = at.from->batch.stacks.async_contexts;
  std::vector<uint32_t> chain;
  for (uint32_t i = index; i < all.size(); i = all[i].parent < i ? all[i].parent : kNone)
    chain.push_back(i);
  uint32_t row = kNone;
  for (size_t i = chain.size(); i-- > 0;) {
    AsyncContext context = all[chain[i]];
    context.parent = row;
    ProfilerAsyncContextTable& table = store_.profiler_async_contexts;
    bool added = false;
    row = row_of(async_contexts_, context, table.rows(), added);
    if (!added) continue;
    table.name.append(context.name);
    table.kind.append(context.kind);
    table.parent_id.append({context.parent});
  }
  return row;
}

// Returns the row of the set of counters; kNone without counters.
uint32_t Samples::counters(const SampledEvent& at, uint32_t first) {
  if (first == kNone) return kNone;
  ProfilerCounterSetTable& sets = store_.profiler_counter_sets;
  CounterTable& table = store_.counters;
  const auto set = static_cast<uint32_t>(sets.rows());
  const std::vector<SampleCounter>& all = at.from->batch.stacks.sample_counters;
  for (size_t i = first; i < all.size(); ++i) {
    const uint32_t track = all[i].track == kNone ? kNone : tracks_.begin_row(all[i].track, {});
    if (track != kNone) {
      sets.counter_set_id.append(set);
      sets.counter_id.append(static_cast<uint32_t>(table.ts.size()));
      table.ts.append(at.event->ts);
      table.track_id.append(track);
      table.value.append(all[i].value);
      table.arg_set_id.append({});
    }
    if (all[i].last) break;
  }
  return sets.rows() > set ? set : kNone;
}

void Samples::add_aggregate(uint32_t batch, uint32_t profile, AggregateSamples& samples) {
  AggregateSampleTable& table = store_.aggregate_sample;
  const size_t count = std::min(samples.callsites.size(), samples.weights.size());
  for (size_t i = 0; i < count; ++i) {
    table.aggregate_profile_id.append({profile});
    table.callsite_id.append({stacks_.callsite(batch, samples.callsites[i])});
  }
  samples.callsites = {};
  samples.weights.resize(count);
  if (table.value.size() == 0)
    table.value.take(std::exchange(samples.weights, {}));
  else
    for (const double weight : std::exchange(samples.weights, {})) table.value.append(weight);
}

// Dumps hold totals; rows are differences from the dump before.
void Samples::add_heap_dump(const SampledEvent& at) {
  const Event& event = *at.event;
  const uint32_t upid = identity_.process(event.track);
  if (upid == kNone) return;
  HeapProfileTable& table = store_.heap_profiles;
  const int64_t dur = event.value > 0 ? event.value : 0;
  table.ts.append(growth(event.ts, dur));
  table.ts_end.append(event.ts);
  table.dur.append(dur);
  table.upid.append(upid);
  table.heap_name.append(event.name);
  const std::vector<HeapSample>& all = at.from->batch.stacks.heap_samples;
  for (size_t i = event.extra; i < all.size(); ++i) {
    if (const uint32_t callsite = stacks_.callsite(at.batch, all[i].callsite); callsite != kNone)
      add_heap_sample(at, {upid, callsite}, all[i]);
    if (all[i].last) break;
  }
}

void Samples::add_heap_sample(const SampledEvent& at, const HeapKey& key,
                              const HeapSample& sample) {
  const StringId heap = at.event->name ? at.event->name : unknown_heap_;
  HeapSample& before = heap_totals_[key];
  // A new source id counts from 0, although the callsite may have totals of other ids.
  const HeapSource source{at.from->file, key.first, sample.source_id, heap};
  const auto [base, is_new] = heap_bases_.try_emplace(source);
  if (is_new) base->second = before;
  HeapSample now;
  now.alloc_bytes = total(sample.alloc_bytes, base->second.alloc_bytes);
  now.alloc_count = total(sample.alloc_count, base->second.alloc_count);
  now.free_bytes = total(sample.free_bytes, base->second.free_bytes);
  now.free_count = total(sample.free_count, base->second.free_count);
  const bool goes_back = now.alloc_bytes < before.alloc_bytes ||
                         now.alloc_count < before.alloc_count ||
                         now.free_bytes < before.free_bytes || now.free_count < before.free_count;
  if (goes_back) {
    const auto pid = static_cast<int32_t>(store_.processes.pid[key.first]);
    return problems_.count(stats::heapprofd_malformed_packet, at.machine, at.from->file, pid);
  }
  add_allocation(at.event->ts, key, heap, growth(now.alloc_count, before.alloc_count),
                 growth(now.alloc_bytes, before.alloc_bytes));
  // The Java heap does not record frees.
  if (heap != java_heap_)
    add_allocation(at.event->ts, key, heap, growth(before.free_count, now.free_count),
                   growth(before.free_bytes, now.free_bytes));
  before = now;
}

void Samples::add_allocation(int64_t ts, const HeapKey& key, StringId heap, int64_t count,
                             int64_t bytes) {
  if (count == 0 && bytes == 0) return;
  const auto& [upid, callsite] = key;
  HeapProfileAllocationTable& table = store_.heap_profile_allocations;
  table.ts.append(ts);
  table.upid.append(upid);
  table.heap_name.append(heap);
  table.callsite_id.append(callsite);
  table.count.append(count);
  table.size.append(bytes);
}

}  // namespace tracebraid
