# Installs the documentation: the pages with their pictures, and the manual page, which is made from
# the program's --help.
if(NOT CMAKE_CROSSCOMPILING)
  set(man_page ${CMAKE_CURRENT_BINARY_DIR}/ballotcast.1)
  add_custom_command(OUTPUT ${man_page}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/man_page $<TARGET_FILE:ballotcast_program> ${man_page}
    DEPENDS ballotcast_program ${CMAKE_CURRENT_SOURCE_DIR}/tools/man_page
    COMMENT "Writing the manual page" VERBATIM)
  add_custom_target(ballotcast_man_page ALL DEPENDS ${man_page})
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Links between pages are relative, so the installed folders are arranged as in the source tree. Raw
# results are not installed.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png"
        PATTERN "results" EXCLUDE)
install(FILES scenes/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/scenes)
install(DIRECTORY scenes/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/scenes)
