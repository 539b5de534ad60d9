# The headers for kernels of programs, as programs compile them: with options of their own.

# The functions on a host, with contraction and other options that the library does not have.
ballotcast_tests(device_header device_header lanes slots)
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

# The functions in kernels. Compiled always, run by hand on a GPU: see build/own_kernel_check.
if(BALLOTCAST_HAS_CUDA)
  add_library(own_kernels OBJECT checks/gpu/own_kernels/own_kernels.cu)
  target_include_directories(own_kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(own_kernels ballotcast_device_headers)
  # Queues of lanes, which it measures, too; and launches of a wrong shape. Run by hand: see
  # build/slots_check and build/slots_shapes_check.
  foreach(check IN ITEMS slots_check slots_shapes_check)
    add_executable(${check} checks/gpu/${check}.cu)
    target_include_directories(${check} PRIVATE ${PROJECT_SOURCE_DIR}/include
                               ${BALLOTCAST_GENERATED_INCLUDE})
    add_dependencies(${check} ballotcast_device_headers)
  endforeach()
  set_target_properties(own_kernels slots_check slots_shapes_check PROPERTIES
    CUDA_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

# The functions on a host, in a file that nvcc compiles.
if(BALLOTCAST_HAS_CUDA)
  add_library(by_nvcc OBJECT checks/nvcc/by_nvcc.cu)
  target_include_directories(by_nvcc PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(by_nvcc ballotcast_device_headers)
  set_target_properties(by_nvcc PROPERTIES CUDA_STANDARD 17)
  target_sources(device_header_tests PRIVATE device_header/by_nvcc_test.cpp
                 $<TARGET_OBJECTS:by_nvcc>)
endif()

# The header for NVRTC.
if(BALLOTCAST_HAS_CUDA AND TARGET CUDA::nvrtc)
  target_sources(device_header_tests PRIVATE device_header/nvrtc_test.cpp)
  target_link_libraries(device_header_tests PRIVATE CUDA::nvrtc)
  target_compile_definitions(device_header_tests PRIVATE
    BALLOTCAST_GENERATED_INCLUDE="${BALLOTCAST_GENERATED_INCLUDE}")
endif()

# The example of an operator of PyTorch, as far as it needs no PyTorch.
if(BALLOTCAST_HAS_CUDA)
  add_library(torch_op_kernel OBJECT ${PROJECT_SOURCE_DIR}/examples/torch_op/closest.cu)
  target_include_directories(torch_op_kernel PRIVATE
                             ${PROJECT_SOURCE_DIR}/include ${BALLOTCAST_GENERATED_INCLUDE})
  add_dependencies(torch_op_kernel ballotcast_device_headers)
  set_target_properties(torch_op_kernel PROPERTIES CUDA_STANDARD 17)
endif()
