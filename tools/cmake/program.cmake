# The programs: ballotcast itself, and make_scene, which writes the generated scenes.
add_executable(ballotcast_program
  src/cli/bench_output.cpp
  src/cli/cmd_accept.cpp
  src/cli/cmd_bench_atomics.cpp
  src/cli/cmd_bench_primitives.cpp
  src/cli/cmd_bench_rays.cpp
  src/cli/cmd_bench_report.cpp
  src/cli/cmd_compare.cpp
  src/cli/cmd_explain.cpp
  src/cli/cmd_info.cpp
  src/cli/cmd_regress.cpp
  src/cli/cmd_render.cpp
  src/cli/cmd_verify.cpp
  src/cli/command_line.cpp
  src/cli/compare_options.cpp
  src/cli/compare_report.cpp
  src/cli/explain_picture.cpp
  src/cli/explain_report.cpp
  src/cli/interrupt.cpp
  src/cli/main.cpp
  src/cli/options.cpp
  src/cli/output.cpp
  src/cli/parser.cpp
  src/cli/progress.cpp
  src/cli/render_report.cpp
  src/cli/scene_changes.cpp
  src/cli/strategy_table.cpp)
set_target_properties(ballotcast_program PROPERTIES OUTPUT_NAME ballotcast)
target_compile_definitions(ballotcast_program PRIVATE
  BALLOTCAST_HAS_CUDA=$<BOOL:${BALLOTCAST_HAS_CUDA}>)
# Where `verify` finds the suite that comes with the program: installed, and before that.
set_source_files_properties(src/cli/cmd_verify.cpp PROPERTIES COMPILE_DEFINITIONS
  "BALLOTCAST_DATA_FROM_PROGRAM=\"../${CMAKE_INSTALL_DATADIR}/ballotcast\";BALLOTCAST_SOURCE_FOLDER=\"${CMAKE_CURRENT_SOURCE_DIR}\"")
target_link_libraries(ballotcast_program PRIVATE ballotcast ballotcast_options CLI11::CLI11
                      nlohmann_json::nlohmann_json)

add_executable(make_scene
  tools/make_scene_src/atrium.cpp
  tools/make_scene_src/blob.cpp
  tools/make_scene_src/furniture.cpp
  tools/make_scene_src/main.cpp
  tools/make_scene_src/mason.cpp
  tools/make_scene_src/slivers.cpp
  tools/make_scene_src/terrain.cpp
  tools/make_scene_src/writer.cpp)
target_include_directories(make_scene PRIVATE src)
target_link_libraries(make_scene PRIVATE glm::glm ballotcast_options)

# How another program casts rays that lie on a GPU.
if(BALLOTCAST_HAS_CUDA)
  add_executable(cast_on_stream tools/examples/cast_on_stream.cpp)
  target_link_libraries(cast_on_stream PRIVATE ballotcast CUDA::cudart_static)
endif()
