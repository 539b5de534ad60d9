# Writes a C++ source that holds the page of the HTML report.
# Usage: cmake -DPAGE=FOLDER -DSCRIPTS=a.js,b.js -DOUT=FILE.cpp -P embed.cmake
#   PAGE     holds page.html, page.css and the scripts
#   SCRIPTS  in the order in which they are joined
string(REPLACE "," ";" scripts "${SCRIPTS}")
file(READ ${PAGE}/page.html html)
file(READ ${PAGE}/page.css style)
set(script "")
foreach(name IN LISTS scripts)
  file(READ ${PAGE}/${name} text)
  string(APPEND script "${text}")
endforeach()

set(source "// Made from the files of src/bench/reports/page by tools/cmake/embed.cmake.\n")
string(APPEND source "#include \"bench/reports/page_files.hpp\"\n\nnamespace ballotcast {\n\n")
foreach(pair IN ITEMS "kPageHtml html" "kPageStyle style" "kPageScript script")
  string(REPLACE " " ";" pair ${pair})
  list(GET pair 0 constant)
  list(GET pair 1 variable)
  if("${${variable}}" MATCHES "\\)page\"")
    message(FATAL_ERROR "${variable} of the page holds what ends its string: )page\"")
  endif()
  string(APPEND source "const std::string_view ${constant} = R\"page(${${variable}})page\";\n\n")
endforeach()
file(WRITE ${OUT} "${source}}  // namespace ballotcast\n")
