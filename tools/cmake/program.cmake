# Programs other than ballotcast: make_scene, which writes the generated scenes, and examples.
add_executable(make_scene
  scenes/generator/atrium.cpp
  scenes/generator/blob.cpp
  scenes/generator/furniture.cpp
  scenes/generator/main.cpp
  scenes/generator/mason.cpp
  scenes/generator/slivers.cpp
  scenes/generator/terrain.cpp
  scenes/generator/writer.cpp)
target_link_libraries(make_scene PRIVATE floor_math ballotcast_options)

# Examples of programs that use the library: many moving worlds, and rays that are in GPU memory.
add_executable(lidar examples/lidar.cpp)
target_link_libraries(lidar PRIVATE ballotcast::static ballotcast_options)
if(BALLOTCAST_HAS_CUDA)
  add_executable(cast_on_stream examples/cast_on_stream.cpp)
  target_link_libraries(cast_on_stream PRIVATE ballotcast::static CUDA::cudart_static)
endif()

# Examples of kernels in users' programs, compiled as a user would; without nvcc, as C++.
foreach(example own_body pack_hits path_tracer sdf_grid two_returns view_factors)
  add_executable(${example} examples/${example}.cu)
  target_link_libraries(${example} PRIVATE ballotcast::static)
  if(NOT BALLOTCAST_HAS_CUDA)
    set_source_files_properties(examples/${example}.cu PROPERTIES
                                LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
    target_link_libraries(${example} PRIVATE ballotcast_options)  # with sanitizers, if any
  endif()
endforeach()
