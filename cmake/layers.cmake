# tb_layer(NAME DEPENDS ...): the library of one folder of src/. Sources are all
# its .cc files, those of subfolders included; *_test.cc make its test binary.
# CMake links only what is named, so the linker agrees with src/LAYERS.
function(tb_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/(cli|generate)/(main|operator_new)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)  # a folder that is still empty
    add_library(tb_${name} INTERFACE)
    return()
  endif()
  add_library(tb_${name} STATIC ${sources})
  target_link_libraries(tb_${name} PUBLIC ${ARG_DEPENDS} PRIVATE tb_flags)
  target_include_directories(tb_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE tb_${name} tb_flags GTest::gtest GTest::gtest_main)
    add_test(NAME unit_${name} COMMAND ${name}_test)
    set_tests_properties(unit_${name} PROPERTIES LABELS unit
      ENVIRONMENT "TRACEBRAID_SOURCE=${CMAKE_SOURCE_DIR}")
  endif()
endfunction()
