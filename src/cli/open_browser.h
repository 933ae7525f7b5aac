// Opens the user's browser.
#pragma once

#include <string>

namespace tracebraid {

// Starts $BROWSER, or xdg-open, with the address, and does not wait for it. Prints nothing.
void open_browser(const std::string& url);

}  // namespace tracebraid
