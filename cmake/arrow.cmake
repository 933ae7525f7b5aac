# Apache Arrow C++ as the Python package pyarrow brings it along, for exports as Parquet and Arrow.
# Optional: without it these kinds say what is missing (src/export/arrow/no_arrow.cc).
option(TRACEBRAID_ARROW "Write Parquet and Arrow, if the Python package pyarrow is there" ON)

set(TRACEBRAID_HAS_ARROW OFF)
if(TRACEBRAID_ARROW)
  find_package(Python3 COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c
      "import pyarrow; print(pyarrow.get_include(), pyarrow.get_library_dirs()[0], sep=';')"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    list(GET found 0 arrow_include)
    list(GET found 1 arrow_folder)
    # Of one version, without the links that a development package would have.
    file(GLOB arrow_libraries ${arrow_folder}/libarrow.so.* ${arrow_folder}/libparquet.so.*)
    list(FILTER arrow_libraries INCLUDE REGEX "\\.so\\.[0-9]+$")
    list(LENGTH arrow_libraries count)
    if(count EQUAL 2 AND EXISTS ${arrow_include}/parquet/arrow/writer.h)
      set(TRACEBRAID_HAS_ARROW ON)
      add_library(tracebraid_arrow INTERFACE)
      target_include_directories(tracebraid_arrow SYSTEM INTERFACE ${arrow_include})
      target_link_libraries(tracebraid_arrow INTERFACE ${arrow_libraries})
      target_link_options(tracebraid_arrow INTERFACE -Wl,-rpath,${arrow_folder})
    endif()
  endif()
  if(TRACEBRAID_HAS_ARROW)
    message(STATUS "Parquet and Arrow: ${arrow_folder}")
  else()
    message(STATUS "Parquet and Arrow: no; they need 'python3 -m pip install pyarrow'")
  endif()
endif()
