# Apache Arrow C++, as contained in the Python package pyarrow, for exports as Parquet and Arrow. Optional: without it
# these exports report what is missing (src/export/arrow/arrow_library.cc).
option(TRACEBRAID_ARROW "Write Parquet and Arrow, if the Python package pyarrow is there" ON)
set(TRACEBRAID_PYTHON "" CACHE FILEPATH
  "A Python that has pyarrow; empty: that of scripts/python-env, or else python3")

# Sets `include` and `folder` for the pyarrow of a Python; sets nothing if there is none.
function(find_pyarrow python)
  execute_process(
    COMMAND ${python} -c
      "import pyarrow; print(pyarrow.get_include(), pyarrow.get_library_dirs()[0], sep=';')"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    return()
  endif()
  list(GET found 0 include)
  list(GET found 1 folder)
  set(include ${include} PARENT_SCOPE)
  set(folder ${folder} PARENT_SCOPE)
endfunction()

set(TRACEBRAID_HAS_ARROW OFF)
if(TRACEBRAID_ARROW)
  find_package(Python3 COMPONENTS Interpreter)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/python-env --path
    OUTPUT_VARIABLE environment OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(pythons ${TRACEBRAID_PYTHON})
  if(NOT pythons)
    set(pythons ${environment}/bin/python ${Python3_EXECUTABLE})
  endif()
  foreach(python IN LISTS pythons)
    unset(include)
    find_pyarrow(${python})
    if(include)
      set(found_python ${python})
      break()
    endif()
  endforeach()
  if(include)
    # Libraries of one version, without the links of a development package.
    file(GLOB arrow_libraries ${folder}/libarrow.so.* ${folder}/libparquet.so.*)
    list(FILTER arrow_libraries INCLUDE REGEX "\\.so\\.[0-9]+$")
    list(LENGTH arrow_libraries count)
    if(count EQUAL 2 AND EXISTS ${include}/parquet/arrow/writer.h)
      set(TRACEBRAID_HAS_ARROW ON)
      set(TRACEBRAID_ARROW_PYTHON ${found_python})
      add_library(pyarrow INTERFACE)
      target_include_directories(pyarrow SYSTEM INTERFACE ${include})
      target_link_libraries(pyarrow INTERFACE ${arrow_libraries})
      target_link_options(pyarrow INTERFACE -Wl,-rpath,${folder})
    endif()
  endif()
  if(TRACEBRAID_HAS_ARROW)
    message(STATUS "Parquet and Arrow: ${folder}")
  else()
    message(STATUS "Parquet and Arrow: no; run scripts/python-env, or name a Python that has "
      "pyarrow (-DTRACEBRAID_PYTHON=...)")
  endif()
endif()
