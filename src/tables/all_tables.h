// Visits the tables of a store, except args.
#pragma once

#include <string_view>
#include <utility>

#include "tables/store.h"

namespace tracebraid {

// A function for each table: one function for all of them would take the compiler minutes.
template <class Visit, class... Arguments>
[[gnu::noinline]] void visit_one(Visit& visit, Arguments&&... arguments) {
  visit(std::forward<Arguments>(arguments)...);
}

// Calls visit(table) for each table, in the order of declaration.
template <class AnyStore, class Visit>
void for_each_table(AnyStore& store, Visit visit) {
#define TB_VISIT(Table, member) visit_one(visit, store.member);
#define TB_VISIT_JSON(Table, member) visit_one(visit, store.json.member);
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
#define TB_VISIT(Table, member) visit_one(visit, std::string_view(#member), store.member);
  TB_ALL_TABLES(TB_SKIP, TB_VISIT)
#undef TB_VISIT
#undef TB_SKIP
}

// Calls visit(subject, table) for each table, in the same order. The subject is the title of a
// section of the manual.
template <class AnyStore, class Visit>
void for_each_table_by_subject(AnyStore& store, Visit visit) {
  std::string_view subject;
#define TB_SUBJECT(title) subject = title;
#define TB_VISIT(Table, member) visit_one(visit, subject, store.member);
#define TB_VISIT_JSON(Table, member) visit_one(visit, subject, store.json.member);
  TB_TABLES_BY_SUBJECT(TB_SUBJECT, TB_VISIT, TB_VISIT)
  TB_JSON_MEMBERS(TB_VISIT_JSON)
#undef TB_VISIT_JSON
#undef TB_VISIT
#undef TB_SUBJECT
}

}  // namespace tracebraid
