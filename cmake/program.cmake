add_executable(ballotcast_program src/cli/main.cpp)
set_target_properties(ballotcast_program PROPERTIES OUTPUT_NAME ballotcast)
target_link_libraries(ballotcast_program PRIVATE ballotcast ballotcast_options CLI11::CLI11
                      nlohmann_json::nlohmann_json)
