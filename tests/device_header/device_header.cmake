# Tests the headers for users' own kernels, compiled with other options than the library.

# Compiles the header's functions for a host, with FMA contraction and other options that the
# library does not use.
ballotcast_tests(device_header)
add_library(own_answers OBJECT device_header/on_host.cpp)
target_include_directories(own_answers PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(own_answers PRIVATE ${PROJECT_SOURCE_DIR}/include
                           ${BALLOTCAST_GENERATED_INCLUDE})
add_dependencies(own_answers ballotcast_device_headers)
target_compile_options(own_answers PRIVATE -O3 -ffp-contract=fast)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(own_answers PRIVATE -march=${BALLOTCAST_CPU})
endif()
set_target_properties(own_answers PROPERTIES CXX_STANDARD 17)
target_sources(device_header_tests PRIVATE $<TARGET_OBJECTS:own_answers>)
target_include_directories(device_header_tests PRIVATE ${BALLOTCAST_GENERATED_INCLUDE})

# Compiles kernels that call the header's functions. build/own_kernel_check, which is run by hand on
# a GPU, launches them.
if(BALLOTCAST_HAS_CUDA)
  add_library(own_kernels OBJECT checks/gpu/own_kernels/own_kernels.cu)
  target_include_directories(own_kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(own_kernels ballotcast_device_headers)
  # slots_check checks and measures queues of lanes. slots_noise_check makes them while the GPU is
  # disturbed. slots_shapes_check tests that launches of a wrong shape fail. checks/gpu/gpu.cmake
  # makes tests of them.
  foreach(check IN ITEMS slots_check slots_noise_check slots_shapes_check)
    add_executable(${check} checks/gpu/${check}.cu)
    target_include_directories(${check} PRIVATE ${PROJECT_SOURCE_DIR}/include
                               ${BALLOTCAST_GENERATED_INCLUDE})
    add_dependencies(${check} ballotcast_device_headers)
  endforeach()
  set_target_properties(own_kernels slots_check slots_noise_check slots_shapes_check PROPERTIES
    CUDA_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

# Compiles the header's functions for a host, in a file that nvcc compiles.
if(BALLOTCAST_HAS_CUDA)
  add_library(by_nvcc OBJECT checks/nvcc/by_nvcc.cu)
  target_include_directories(by_nvcc PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(by_nvcc ballotcast_device_headers)
  set_target_properties(by_nvcc PROPERTIES CUDA_STANDARD 17)
  target_sources(device_header_tests PRIVATE device_header/cuda/by_nvcc_test.cpp
                 $<TARGET_OBJECTS:by_nvcc>)
endif()

# Tests the header for NVRTC.
if(BALLOTCAST_HAS_CUDA AND TARGET CUDA::nvrtc)
  target_sources(device_header_tests PRIVATE device_header/cuda/nvrtc_test.cpp)
  target_link_libraries(device_header_tests PRIVATE CUDA::nvrtc)
  target_compile_definitions(device_header_tests PRIVATE
    BALLOTCAST_GENERATED_INCLUDE="${BALLOTCAST_GENERATED_INCLUDE}")
endif()

# Compiles the kernel of the PyTorch example, which needs no PyTorch.
if(BALLOTCAST_HAS_CUDA)
  add_library(torch_op_kernel OBJECT ${PROJECT_SOURCE_DIR}/examples/torch_op/closest.cu)
  target_include_directories(torch_op_kernel PRIVATE
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(torch_op_kernel ballotcast_device_headers)
  set_target_properties(torch_op_kernel PROPERTIES CUDA_STANDARD 17)
endif()
