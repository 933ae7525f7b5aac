# The libraries that tracebraid uses; docs/dependencies.md gives the reasons.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(absl REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.81 REQUIRED)  # headers only
find_package(simdjson REQUIRED)
find_package(tl-expected REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
# Removes -pthread of re2, which Threads::Threads makes unnecessary and which the precompiled headers lack.
set_property(TARGET PkgConfig::re2 PROPERTY INTERFACE_COMPILE_OPTIONS)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(isal IMPORTED_TARGET libisal)  # optional: x86 and ARM only
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lzma REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(expat REQUIRED IMPORTED_TARGET expat)
find_path(FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)  # headers only
pkg_check_modules(edit REQUIRED IMPORTED_TARGET libedit)
