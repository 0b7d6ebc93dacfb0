#pragma once

#include <string>
#include <string_view>

#include "cull/report.hpp"

namespace lanecull::program {

/// The report as one HTML file that needs no other: its picture (the bytes of a PNG), its tables, its frames as graphs,
/// and the worst objects. cull/report.html is the page, which builds all of it in the browser from the report's data.
[[nodiscard]] std::string html_report(const ReportInput& input, std::string_view picture);

}  // namespace lanecull::program
