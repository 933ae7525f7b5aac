# cpack: Debian packages of the program and of the C library (docs/library.md).
#
#   tracebraid           /usr/bin/tracebraid
#   libtracebraid1       the shared library
#   libtracebraid-dev    headers, the static library, and files for pkg-config and find_package
#
# They use the system's libraries, and lack libtracebraid_arrow.so, which uses those of pyarrow. Files of these components are not part of cmake --install without a component.
install(TARGETS tracebraid RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT deb_program EXCLUDE_FROM_ALL)
install(TARGETS tracebraid-c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT deb_runtime NAMELINK_COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(TARGETS tracebraid-c-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(FILES src/capi/tracebraid.h src/capi/tracebraid.hpp DESTINATION ${include_folder}
  COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(EXPORT c_shared NAMESPACE tracebraid:: FILE tracebraidCTargets.cmake
  DESTINATION ${package_folder} COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(EXPORT c_static NAMESPACE tracebraid:: FILE tracebraidCStaticTargets.cmake
  DESTINATION ${package_folder} COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tracebraidConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tracebraidConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT deb_dev EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tracebraid.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT deb_dev EXCLUDE_FROM_ALL)

set(CPACK_DEBIAN_DEB_PROGRAM_PACKAGE_NAME tracebraid)
set(CPACK_DEBIAN_DEB_RUNTIME_PACKAGE_NAME libtracebraid1)
set(CPACK_DEBIAN_DEB_DEV_PACKAGE_NAME libtracebraid-dev)
foreach(component deb_program deb_runtime deb_dev)
  string(TOUPPER ${component} name)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME}
    RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
set(CPACK_DEBIAN_DEB_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_DEB_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEB_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEB_PROGRAM_DESCRIPTION "merges trace files onto one timeline, and queries them with SQL")
set(CPACK_DEBIAN_DEB_RUNTIME_DESCRIPTION "merges trace files onto one timeline (shared library)")
set(CPACK_DEBIAN_DEB_DEV_DESCRIPTION "merges trace files onto one timeline (development files)")
set(CPACK_DEBIAN_DEB_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEB_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEB_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
# What tracebraid.pc requires.
set(CPACK_DEBIAN_DEB_DEV_PACKAGE_DEPENDS "libtracebraid1 (= ${PROJECT_VERSION}), libabsl-dev, libdeflate-dev, \
libexpat1-dev, libfmt-dev, liblzma-dev, libre2-dev, libsimdjson-dev, libsqlite3-dev, libzstd-dev, zlib1g-dev")
if(TARGET PkgConfig::isal)
  string(APPEND CPACK_DEBIAN_DEB_DEV_PACKAGE_DEPENDS ", libisal-dev")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tracebraid)
set(CPACK_PACKAGE_CONTACT "tracebraid maintainers <maintainers@tracebraid.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL deb_program deb_runtime deb_dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
