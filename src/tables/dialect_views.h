// Views that the dialect requires and that show no data of a trace: tables that no reader fills,
// and the list of the raw tables. The registry does not declare them, and exports leave them out.
#pragma once

#include <string_view>

namespace tracebraid {

// The statements that make the views.
std::string_view dialect_views_sql();

// Any thread may call it.
bool is_dialect_view(std::string_view name);

}  // namespace tracebraid
