// Visits the tables of a store, except args.
#pragma once

#include <string_view>

#include "tables/store.h"

namespace tracebraid {

// Calls visit(table) for each table, in the order of declaration.
template <class AnyStore, class Visit>
void for_each_table(AnyStore& store, Visit visit) {
#define TB_VISIT(Table, member) visit(store.member);
#define TB_VISIT_JSON(Table, member) visit(store.json.member);
  TB_ALL_TABLES(TB_VISIT, TB_VISIT)
  TB_JSON_MEMBERS(TB_VISIT_JSON)
#undef TB_VISIT_JSON
#undef TB_VISIT
}

// Calls visit(name, table) for each plain table, with the name of its member, which readers use
// (event/row.h).
template <class Visit>
void for_each_plain_table(Store& store, Visit visit) {
#define TB_SKIP(Table, member)
#define TB_VISIT(Table, member) visit(std::string_view(#member), store.member);
  TB_ALL_TABLES(TB_SKIP, TB_VISIT)
#undef TB_VISIT
#undef TB_SKIP
}

// Title of the section of the manual that args belong to, too.
inline constexpr std::string_view kSliceSubject = "Slices, tracks, counters and flows";

// visit(subject, table) for each, in the same order. The subject is the title of a section of the
// manual.
template <class AnyStore, class Visit>
void for_each_table_by_subject(AnyStore& store, Visit visit) {
  std::string_view subject;
#define TB_VISIT(Table, member) visit(subject, store.member);
#define TB_VISIT_JSON(Table, member) visit(subject, store.json.member);
  subject = "The trace as a whole";
  TB_TRACE_TABLES(TB_VISIT, TB_VISIT)
  subject = "Processes, threads and CPUs";
  TB_PROCESS_TABLES(TB_VISIT, TB_VISIT)
  subject = kSliceSubject;
  TB_SLICE_TABLES(TB_VISIT, TB_VISIT)
  subject = "Scheduling, kernel events and logs";
  TB_SCHED_TABLES(TB_VISIT, TB_VISIT)
  subject = "Callstacks and samples";
  TB_SAMPLE_TABLES(TB_VISIT, TB_VISIT)
  subject = "Memory";
  TB_MEMORY_TABLES(TB_VISIT, TB_VISIT)
  subject = "Android";
  TB_ANDROID_TABLES(TB_VISIT, TB_VISIT)
  subject = "Code made at run time";
  TB_JIT_TABLES(TB_VISIT, TB_VISIT)
  subject = "Clocks and placement";
  TB_PLACEMENT_TABLES(TB_VISIT, TB_VISIT)
  subject = "Trace Event Format";
  TB_JSON_TABLES(TB_VISIT, TB_VISIT)
  TB_JSON_MEMBERS(TB_VISIT_JSON)
#undef TB_VISIT_JSON
#undef TB_VISIT
}

}  // namespace tracebraid
