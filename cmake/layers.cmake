# Library headers that nearly every source includes, compiled once: reading headers takes most of the time of a build.
# Sources still include all headers that they use: the preset gcc builds without precompiled headers.
file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cc "")
function(tb_precompile name)  # libraries
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${name} PRIVATE ${ARGN} tb_flags)
  # clang would write the times of headers into it, so that ccache could not match it.
  target_compile_options(${name} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
set(headers <algorithm> <array> <atomic> <bit> <charconv> <cmath> <condition_variable> <cstdint>
  <cstring> <deque> <functional> <limits> <map> <memory> <mutex> <optional> <ranges> <semaphore>
  <span> <stop_token> <string> <string_view> <thread> <tuple> <utility> <vector>
  <absl/container/flat_hash_map.h> <absl/container/flat_hash_set.h> <fmt/format.h> <tl/expected.hpp>)
tb_precompile(tb_precompiled absl::flat_hash_map absl::flat_hash_set fmt::fmt tl::expected)
target_precompile_headers(tb_precompiled PRIVATE ${headers})
tb_precompile(tb_precompiled_test absl::flat_hash_map absl::flat_hash_set fmt::fmt tl::expected GTest::gtest)
target_precompile_headers(tb_precompiled_test PRIVATE ${headers} <gtest/gtest.h>)

# The inputs of the data vectors; the test `vectors` writes them before the tests that read them.
set(TRACEBRAID_VECTORS ${CMAKE_BINARY_DIR}/vectors)

# tb_layer(NAME DEPENDS ...): the library of one folder of src/. Sources are all its .cc files, including those of
# subfolders; *_test.cc make its test binary. CMake links only the named libraries, so the linker checks src/LAYERS.
function(tb_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/(cli|generate)/(main|operator_new)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)  # an empty folder
    add_library(tb_${name} INTERFACE)
    return()
  endif()
  add_library(tb_${name} STATIC ${sources})
  target_link_libraries(tb_${name} PUBLIC ${ARG_DEPENDS} PRIVATE tb_flags)
  target_include_directories(tb_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_precompile_headers(tb_${name} REUSE_FROM tb_precompiled)
  tb_group_by_folder(tb_${name} ${sources})
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE tb_${name} tb_flags GTest::gtest GTest::gtest_main)
    target_precompile_headers(${name}_test REUSE_FROM tb_precompiled_test)
    tb_group_by_folder(${name}_test ${tests})
    add_test(NAME unit_${name} COMMAND ${name}_test)
    set_tests_properties(unit_${name} PROPERTIES LABELS unit
      FIXTURES_REQUIRED vectors
      ENVIRONMENT "TRACEBRAID_SOURCE=${CMAKE_SOURCE_DIR};TRACEBRAID_VECTORS=${TRACEBRAID_VECTORS}")
  endif()
endfunction()
