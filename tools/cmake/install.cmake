# Says what `cmake --install` installs: the program with its scenes and pages, the static and the
# shared library, and the package files for find_package(ballotcast) and pkg-config. No file
# contains an absolute path, so the installed tree can be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ballotcast)

# tools/render builds only the program. The other targets to install are built now.
set(installed_targets ballotcast_program ballotcast_static ballotcast_shared)
if(BALLOTCAST_HAS_MPI)
  list(APPEND installed_targets ballotcast_mpi)
endif()
if(NOT CMAKE_CROSSCOMPILING)
  list(APPEND installed_targets ballotcast_man_page)
endif()
list(JOIN installed_targets " " installed_in_words)
install(CODE "
  message(STATUS \"Building what is not there yet\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\"
                          --target ${installed_in_words}
                  COMMAND_ERROR_IS_FATAL ANY)")

install(TARGETS ballotcast_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(BALLOTCAST_HAS_MPI)
  install(TARGETS ballotcast_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ballotcast)
endif()
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ballotcast
        FILES_MATCHING PATTERN "*.obj" PATTERN "*.mtl" PATTERN "*.json" PATTERN "*.jsonl" PATTERN "*.png"
        PATTERN "pictures" EXCLUDE PATTERN "generator" EXCLUDE)

install(DIRECTORY include/ballotcast ${BALLOTCAST_GENERATED_INCLUDE}/ballotcast
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS ballotcast_static EXPORT ballotcast_static
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ballotcast_shared EXPORT ballotcast_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Two export files, so that users of the shared library do not need the libraries of the static one.
foreach(kind IN ITEMS static shared)
  install(EXPORT ballotcast_${kind} NAMESPACE ballotcast:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(tools/cmake/ballotcast-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config-version.cmake
        DESTINATION ${package_dir})

set(cudart "")
if(BALLOTCAST_HAS_CUDA)
  set(cudart "-lcudart_static -lrt")
endif()
list(JOIN BALLOTCAST_OPTIONAL_LIBRARIES " " optional)
# Computes the relative path from lib/pkgconfig to the prefix; lib may be lib/x86_64-linux-gnu.
file(RELATIVE_PATH pc_to_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
# There are two .pc files, because with one file `pkg-config --static` would still link the shared
# library: both libraries have the same name.
set(pc_name ballotcast)
set(pc_libs "-L\${libdir} -lballotcast")
configure_file(tools/cmake/ballotcast.pc.in ${CMAKE_CURRENT_BINARY_DIR}/ballotcast.pc @ONLY)
set(pc_name ballotcast-static)
string(CONCAT pc_libs "\${libdir}/libballotcast.a -Wl,--as-needed -ltbb -lboost_context -lstb "
              "-ltinyobjloader_double -ljpeg -lz ${optional} ${cudart} -ldl -lpthread -lstdc++ -lm")
configure_file(tools/cmake/ballotcast.pc.in ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-static.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ballotcast.pc
              ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-static.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
