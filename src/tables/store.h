// Store: the tables of a merged trace. Filled once, then only read.
//
// Input: rows of assemble and merge. Output: the tables of one merged trace. Called by query,
// engine, export and report.
#pragma once

#include <vector>

#include "base/string_pool.h"
#include "tables/android_tables.h"
#include "tables/args_table.h"
#include "tables/jit_tables.h"
#include "tables/json_tables.h"
#include "tables/memory_tables.h"
#include "tables/placement_tables.h"
#include "tables/process_tables.h"
#include "tables/sample_tables.h"
#include "tables/sched_tables.h"
#include "tables/slice_tables.h"
#include "tables/trace_tables.h"
#include "tables/window_tables.h"

namespace tracebraid {

// All lists of tables, each after SUBJECT(title), the title of a section of the manual.
// TABLE(Struct, member) is a table that src/assemble fills; PLAIN(Struct, member) is a table whose
// rows readers emit (EventKind::Row).
#define TB_TABLES_BY_SUBJECT(SUBJECT, TABLE, PLAIN) \
  SUBJECT("The trace as a whole")                   \
  TB_TRACE_TABLES(TABLE, PLAIN)                     \
  SUBJECT("Processes, threads and CPUs")            \
  TB_PROCESS_TABLES(TABLE, PLAIN)                   \
  SUBJECT("Slices, tracks, counters and flows")     \
  TB_SLICE_TABLES(TABLE, PLAIN)                     \
  SUBJECT("Scheduling, kernel events and logs")     \
  TB_SCHED_TABLES(TABLE, PLAIN)                     \
  SUBJECT("Callstacks and samples")                 \
  TB_SAMPLE_TABLES(TABLE, PLAIN)                    \
  SUBJECT("Memory")                                 \
  TB_MEMORY_TABLES(TABLE, PLAIN)                    \
  SUBJECT("Android")                                \
  TB_ANDROID_TABLES(TABLE, PLAIN)                   \
  SUBJECT("Window traces of Android")               \
  TB_WINDOW_TABLES(TABLE, PLAIN)                    \
  SUBJECT("Code made at run time")                  \
  TB_JIT_TABLES(TABLE, PLAIN)                       \
  SUBJECT("Clocks and placement")                   \
  TB_PLACEMENT_TABLES(TABLE, PLAIN)                 \
  SUBJECT("Trace Event Format")                     \
  TB_JSON_TABLES(TABLE, PLAIN)

#define TB_NO_SUBJECT(title)
#define TB_ALL_TABLES(TABLE, PLAIN) TB_TABLES_BY_SUBJECT(TB_NO_SUBJECT, TABLE, PLAIN)

struct Store {
  StringPool strings;

#define TB_MEMBER(Table, member) Table member;
  TB_ALL_TABLES(TB_MEMBER, TB_MEMBER)
#undef TB_MEMBER
  JsonTables json;
  ArgsTable args;

  int64_t trace_start = 0;  // ns; spec clocks 9.3
  int64_t trace_end = 0;
  uint32_t timeline_machine = 0;  // row of machine of the timeline

  Store() = default;
  Store(const Store&) = delete;  // views point into it, so it cannot move
  Store& operator=(const Store&) = delete;

  // Returns views of all tables in the order of declaration, then of args. They point into the
  // store.
  std::vector<TableView> views() const;
};

}  // namespace tracebraid
