# Generates headers for kernels of users' programs. Each *_core.hpp contains all internal headers
# that a public header needs. device_nvrtc.hpp contains everything and includes nothing, for
# compilers of kernels at run time (NVRTC).
#
#   cmake -D ROOT=... -D OUT=... -D DEPFILE=... -P make_headers.cmake
#
#   DEPFILE                           the files that were read, as a rule for make
#   OUT/ballotcast/device_core.hpp    what kernels/device_header/walks.hpp includes, in one file
#   OUT/ballotcast/slots_core.hpp     the same for kernels/slots/for_programs.hpp
#   OUT/ballotcast/lanes_core.hpp     the same for backends/cuda/lane.cuh
#   OUT/ballotcast/device_nvrtc.hpp   device.hpp with device_core.hpp and all public
#                                     headers that it needs
#
# The internal names move to a namespace of their own. So a program may also link the library, even
# if the two are compiled with different options.
cmake_minimum_required(VERSION 3.25)

# Appends the text of header `name` to the variable `text`, after the headers that it includes, each
# once. Public headers stay as #include lines, unless `whole` is true.
function(append_header name whole)
  set(path "")
  foreach(folder IN ITEMS ${ROOT}/src ${ROOT} ${ROOT}/include ${OUT})
    if(EXISTS ${folder}/${name})
      set(path ${folder}/${name})
      break()
    endif()
  endforeach()
  if(NOT path)
    message(FATAL_ERROR "make_headers.cmake: no header ${name}")
  endif()
  file(READ ${path} own)
  list(APPEND files ${path})
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${own}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" included "${include}")
    if(included STREQUAL "math/vec_types.hpp")
      set(included kernels/device_header/plain_vec.hpp)
    endif()
    if(included IN_LIST done)
      continue()
    endif()
    list(APPEND done ${included})
    if(included MATCHES "^ballotcast/" AND NOT whole)
      string(PREPEND text "#include \"${included}\"\n")
    else()
      append_header(${included} ${whole})
    endif()
  endforeach()
  string(REGEX REPLACE "#pragma once\n" "" own "${own}")
  string(REGEX REPLACE "#include \"[^\"]*\"\n" "" own "${own}")
  string(APPEND text "${own}\n")
  set(text "${text}" PARENT_SCOPE)
  set(done ${done} PARENT_SCOPE)
  set(files ${files} PARENT_SCOPE)
endfunction()

# Writes OUT/ballotcast/NAME_core.hpp: header `root` and all that it includes, in namespace
# ballotcast::NAME.
function(make_core name root)
  string(TOUPPER ${name} NAME)
  set(text "")
  set(done ${root})
  append_header(${root} FALSE)
  string(REPLACE "namespace ballotcast::detail" "namespace ballotcast::${name}::detail" text "${text}")
  string(REGEX REPLACE "BC_([A-Z])" "BALLOTCAST_CORE_\\1" text "${text}")
  # Types of public headers are shared by program and library, so a change of them changes the
  # version.
  set(shared "${text}")
  foreach(header IN ITEMS ${name} api instance ray shape vec3)
    file(READ ${ROOT}/include/ballotcast/${header}.hpp public)
    string(APPEND shared "${public}")
    list(APPEND files ${ROOT}/include/ballotcast/${header}.hpp)
  endforeach()
  string(SHA256 hash "${shared}")
  string(SUBSTRING ${hash} 0 8 version)
  string(PREPEND text "// Generated from the library's own headers: what ${name}.hpp uses.
#pragma once
#if !defined(__CUDACC_RTC__)
#pragma GCC system_header  // its warnings are the library's business
#endif
#define BALLOTCAST_IN_PROGRAM
#define BALLOTCAST_${NAME}_VERSION 0x${version}u
")
  file(CONFIGURE OUTPUT ${OUT}/ballotcast/${name}_core.hpp CONTENT "${text}" @ONLY)
  set(files ${files} PARENT_SCOPE)
endfunction()

set(files "")
make_core(device kernels/device_header/walks.hpp)
make_core(slots kernels/slots/for_programs.hpp)
make_core(lanes backends/cuda/lane.cuh)

set(text "")
set(done ballotcast/device.hpp)
append_header(ballotcast/device.hpp TRUE)
string(REGEX REPLACE "#include <[^>]*>\n" "" text "${text}")
string(REPLACE "std::uint8_t" "unsigned char" text "${text}")
string(REPLACE "std::uint32_t" "unsigned int" text "${text}")
string(REPLACE "std::uint64_t" "unsigned long long" text "${text}")
set(text "// Generated: ballotcast/device.hpp with all that it includes, for NVRTC.
#pragma once
#if defined(__CUDACC_RTC__)
${text}#else
#include \"ballotcast/device.hpp\"
#endif
")
file(CONFIGURE OUTPUT ${OUT}/ballotcast/device_nvrtc.hpp CONTENT "${text}" @ONLY)

list(REMOVE_DUPLICATES files)
list(REMOVE_ITEM files ${OUT}/ballotcast/device_core.hpp)
list(JOIN files " \\\n  " files)
file(CONFIGURE OUTPUT ${DEPFILE} CONTENT "${OUT}/ballotcast/device_core.hpp: ${files}\n" @ONLY)
