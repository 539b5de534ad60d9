# Finds all libraries that the project uses. They come from Debian 12; tools/dependencies.txt names
# the packages.
set(Boost_NO_WARN_NEW_VERSIONS ON)
find_package(Threads REQUIRED)
find_package(glm 0.9.9 REQUIRED)
find_package(TBB 2021 REQUIRED COMPONENTS tbb)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(ZLIB 1.2 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
# tinybvh is another ray tracer, with which benchmarks compare times. It consists of headers, which
# are in no Debian package.
if(BALLOTCAST_TINYBVH AND NOT EXISTS ${BALLOTCAST_TINYBVH}/tiny_bvh.h)
  message(FATAL_ERROR "BALLOTCAST_TINYBVH: there is no tiny_bvh.h in ${BALLOTCAST_TINYBVH}")
endif()

# Makes a target from a header and a library, without CMake's package files: those of tinyobjloader
# and stb can't be used, and libjpeg is to be linked statically.
function(ballotcast_find_plain target header library)
  string(TOUPPER ${target} prefix)
  find_path(${prefix}_INCLUDE ${header} REQUIRED)
  find_library(${prefix}_LIBRARY NAMES ${library} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${${prefix}_INCLUDE}>)
  target_link_libraries(${target} INTERFACE ${${prefix}_LIBRARY})
endfunction()
ballotcast_find_plain(ballotcast_jpeg jpeglib.h "libjpeg.a;jpeg")
ballotcast_find_plain(ballotcast_tinyobjloader tiny_obj_loader.h tinyobjloader_double)
ballotcast_find_plain(ballotcast_stb stb/stb_image.h stb)

# xxHash, for checksums. Only its header is used.
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)

# OpenEXR is a format of pictures with linear floats. Its package files are not used, because they
# require a library that Debian has in another package.
find_path(OPENEXR_INCLUDE ImfInputPart.h PATH_SUFFIXES OpenEXR)
find_path(IMATH_INCLUDE ImathBox.h PATH_SUFFIXES Imath)  # version 3; version 2 has no such folder
find_library(OPENEXR_LIBRARY OpenEXR)
find_library(IEX_LIBRARY Iex)
set(BALLOTCAST_HAS_OPENEXR OFF)
set(BALLOTCAST_OPTIONAL_TARGETS "")    # targets of the optional libraries that were found
set(BALLOTCAST_OPTIONAL_LIBRARIES "")  # the names of these libraries for the linker
if(OPENEXR_INCLUDE AND IMATH_INCLUDE AND OPENEXR_LIBRARY AND IEX_LIBRARY)
  set(BALLOTCAST_HAS_OPENEXR ON)
  add_library(ballotcast_openexr INTERFACE)
  target_include_directories(ballotcast_openexr SYSTEM INTERFACE
    $<BUILD_INTERFACE:${OPENEXR_INCLUDE}> $<BUILD_INTERFACE:${IMATH_INCLUDE}>)
  target_link_libraries(ballotcast_openexr INTERFACE ${OPENEXR_LIBRARY} ${IEX_LIBRARY})
  list(APPEND BALLOTCAST_OPTIONAL_TARGETS ballotcast_openexr)
  list(APPEND BALLOTCAST_OPTIONAL_LIBRARIES -lOpenEXR -lIex)
else()
  message(STATUS "OpenEXR not found: .exr pictures can't be read or written")
endif()

# Libraries for compressed pictures and meshes in glTF files. The formats of libraries that are not
# found are left out.
function(ballotcast_find_optional name header library what)
  string(TOUPPER ${name} prefix)
  find_path(${prefix}_INCLUDE ${header})
  find_library(${prefix}_LIBRARY ${library})
  set(BALLOTCAST_HAS_${prefix} OFF PARENT_SCOPE)
  if(NOT ${prefix}_INCLUDE OR NOT ${prefix}_LIBRARY)
    message(STATUS "${library} not found: ${what} can't be read")
    return()
  endif()
  set(BALLOTCAST_HAS_${prefix} ON PARENT_SCOPE)
  add_library(ballotcast_${name} INTERFACE)
  target_include_directories(ballotcast_${name} SYSTEM INTERFACE $<BUILD_INTERFACE:${${prefix}_INCLUDE}>)
  target_link_libraries(ballotcast_${name} INTERFACE ${${prefix}_LIBRARY})
  set(BALLOTCAST_OPTIONAL_TARGETS ${BALLOTCAST_OPTIONAL_TARGETS} ballotcast_${name} PARENT_SCOPE)
  set(BALLOTCAST_OPTIONAL_LIBRARIES ${BALLOTCAST_OPTIONAL_LIBRARIES} -l${library} PARENT_SCOPE)
endfunction()
ballotcast_find_optional(webp webp/decode.h webp "pictures that are WebP")
ballotcast_find_optional(draco draco/compression/decode.h draco "meshes that Draco compressed")
ballotcast_find_optional(meshopt meshoptimizer.h meshoptimizer "meshes that meshoptimizer compressed")

# assimp's package files export absolute paths, so assimp is found in the same way as the libraries
# above.
if(BALLOTCAST_ASSIMP)
  ballotcast_find_plain(ballotcast_assimp assimp/Importer.hpp assimp)
  list(APPEND BALLOTCAST_OPTIONAL_TARGETS ballotcast_assimp)
  list(APPEND BALLOTCAST_OPTIONAL_LIBRARIES -lassimp)
endif()

# MPI, for several processes that work together. Only a separate module is linked with MPI. The old
# C++ functions of MPI are left out.
set(BALLOTCAST_HAS_MPI OFF)
if(NOT BALLOTCAST_MPI STREQUAL OFF)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI 3 QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(BALLOTCAST_HAS_MPI ON)
  elseif(BALLOTCAST_MPI STREQUAL ON)
    message(FATAL_ERROR "BALLOTCAST_MPI is ON, but no MPI 3 was found (Debian: libopenmpi-dev)")
  else()
    message(STATUS "MPI not found: the program can't work as several processes")
  endif()
endif()
