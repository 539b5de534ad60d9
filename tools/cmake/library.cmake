# The library: all floors except view, bench and cli. The static and the shared library
# consist of the same object files.
set(floors support geometry image scene bvh backends render compare)
set(objects "")
foreach(floor IN LISTS floors)
  list(APPEND objects $<TARGET_OBJECTS:floor_${floor}>)
endforeach()
# The external libraries, by name and not by path, so that the installed package works on other
# machines.
set(needs TBB::tbb Boost::context ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS})
set(plain ballotcast_jpeg ballotcast_tinyobjloader ballotcast_stb ${BALLOTCAST_OPTIONAL_TARGETS})
set(plain_installed -lstb -ltinyobjloader_double -ljpeg ${BALLOTCAST_OPTIONAL_LIBRARIES})
if(BALLOTCAST_HAS_CUDA)
  list(APPEND needs CUDA::cudart_static)
endif()

foreach(kind IN ITEMS static shared)
  string(TOUPPER ${kind} KIND)
  add_library(ballotcast_${kind} ${KIND} ${objects})
  add_library(ballotcast::${kind} ALIAS ballotcast_${kind})
  set_target_properties(ballotcast_${kind} PROPERTIES
    OUTPUT_NAME ballotcast EXPORT_NAME ${kind} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(ballotcast_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${BALLOTCAST_GENERATED_INCLUDE}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(ballotcast_${kind} INTERFACE cxx_std_17)
  add_dependencies(ballotcast_${kind} ballotcast_device_headers)
  foreach(floor IN LISTS floors)
    add_dependencies(ballotcast_${kind} floor_${floor})
  endforeach()
endforeach()
# Debian's libjpeg.a is not position-independent, so shared objects use the shared libjpeg.
set(needs_of_shared ${needs} ballotcast_tinyobjloader ballotcast_stb jpeg
    ${BALLOTCAST_OPTIONAL_TARGETS} ballotcast_options)
target_link_libraries(ballotcast_shared PRIVATE ${needs_of_shared})
target_link_options(ballotcast_shared PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/cmake/exports.txt)
target_link_libraries(ballotcast_static INTERFACE ${needs}
  "$<BUILD_INTERFACE:${plain}>" "$<INSTALL_INTERFACE:${plain_installed}>")
# A program is linked only with those shared libraries whose functions it uses.
target_link_options(ballotcast_static INTERFACE -Wl,--as-needed)
