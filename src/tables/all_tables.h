// Visits the tables of a store that are lists of columns: all but args.
#pragma once

#include <string_view>

#include "tables/store.h"

namespace tracebraid {

// visit(table) for each, in the order in which they are declared.
template <class AnyStore, class Visit>
void for_each_table(AnyStore& store, Visit visit) {
#define TB_VISIT(Table, member) visit(store.member);
#define TB_VISIT_JSON(Table, member) visit(store.json.member);
  TB_ALL_TABLES(TB_VISIT, TB_VISIT)
  TB_JSON_MEMBERS(TB_VISIT_JSON)
#undef TB_VISIT_JSON
#undef TB_VISIT
}

// visit(name, table) for each plain table: readers name it by its member (event/row.h).
template <class Visit>
void for_each_plain_table(Store& store, Visit visit) {
#define TB_SKIP(Table, member)
#define TB_VISIT(Table, member) visit(std::string_view(#member), store.member);
  TB_ALL_TABLES(TB_SKIP, TB_VISIT)
#undef TB_VISIT
#undef TB_SKIP
}

}  // namespace tracebraid
