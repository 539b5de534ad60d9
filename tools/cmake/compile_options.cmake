# Compile options for every file of the project. The CPU and the GPU give the same bits only because
# neither compiler may fuse a multiplication with an addition, use fast-math, or flush small numbers
# to zero.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Object files also become a part of the shared library, which exports only what BALLOTCAST_API
# marks.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Unity builds: most files spend half of their compile time on headers and templates that all of
# them include. Files that are compiled together, at most 32, do this only once; with more files in
# a batch, fewer cores would have work. (CMake compiles CUDA files, and files with options of their
# own, separately.)
set(CMAKE_UNITY_BUILD ${BALLOTCAST_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 32)

add_library(ballotcast_options INTERFACE)
set(cxx_flags -ffp-contract=off -fno-fast-math)
set(cuda_flags --fmad=false --prec-div=true --prec-sqrt=true --ftz=false -Xcompiler=-ffp-contract=off)
# GPU code is compressed only by toolkits from 13.0 on, because older toolkits also support drivers
# before CUDA 12.4, which can't decompress it.
if(BALLOTCAST_HAS_CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0)
    list(APPEND cuda_flags --no-compress)
  else()
    list(APPEND cuda_flags --compress-mode=size)
  endif()
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND cxx_flags -march=${BALLOTCAST_CPU})
  list(APPEND cuda_flags -Xcompiler=-march=${BALLOTCAST_CPU})
endif()

list(APPEND cxx_flags -Wall -Wextra -Wshadow -Wfloat-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 warns about overlapping copies inside std::string where there are none (GCC bug 105651).
  list(APPEND cxx_flags -Wno-restrict)
endif()
list(APPEND cuda_flags -Xcompiler=-Wall,-Wextra --expt-relaxed-constexpr)
if(BALLOTCAST_WERROR)
  list(APPEND cxx_flags -Werror)
  list(APPEND cuda_flags -Werror=all-warnings)
endif()
if(BALLOTCAST_SANITIZE)
  # -Og compiles in a third of the time of -O3, and in half the time of -O1.
  list(APPEND cxx_flags -fsanitize=${BALLOTCAST_SANITIZE} -fno-sanitize-recover=all
       -fno-omit-frame-pointer -Og -g1)
  if(BALLOTCAST_SANITIZE MATCHES "address")
    # AddressSanitizer reports null pointers and overruns of objects, too. Without the same checks
    # of UndefinedBehaviorSanitizer, compiling takes a third less time.
    list(APPEND cxx_flags -fno-sanitize=null,object-size,pointer-overflow,vptr)
    # Misaligned addresses can only occur in code that reads the bytes of a file. Elsewhere the
    # check finds nothing, and costs a fifth of the compile time.
    list(APPEND cxx_flags
         "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:BALLOTCAST_READS_BYTES>>>:-fno-sanitize=alignment>")
    # Programs that are not position-independent start in two thirds of the time, because the
    # sanitizers' many tables need no relocation. The tests start programs thousands of times.
    target_link_options(ballotcast_options INTERFACE
                        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>")
  endif()
  target_link_options(ballotcast_options INTERFACE -fsanitize=${BALLOTCAST_SANITIZE})
endif()

# Options for code whose compile time matters more than its run time. The sanitizers set their own
# -O. With -O1, g++ 12 warns about bounds of std::string that are kept (GCC bug 105329).
set(quick_to_compile -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND quick_to_compile -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
set(BALLOTCAST_QUICK_TO_COMPILE
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${quick_to_compile}>")

target_compile_options(ballotcast_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${cxx_flags}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")
