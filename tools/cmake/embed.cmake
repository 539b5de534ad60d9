# Writes a C++ source that contains the files of a page.
# Usage: cmake -DCONSTANT=NAME -DFOLDER=PATH -DHTML=FILE -DSTYLES=a.css,b.css -DSCRIPTS=a.js,b.js
#              -DOUT=FILE.cpp -P embed.cmake
#   CONSTANT          the name of the page's constant, which the file that shows the page declares
#   STYLES, SCRIPTS   joined in this order
file(READ ${HTML} html)
foreach(kind IN ITEMS STYLES SCRIPTS)
  string(REPLACE "," ";" files "${${kind}}")
  set(joined_${kind} "")
  foreach(name IN LISTS files)
    file(READ ${name} text)
    string(APPEND joined_${kind} "${text}")
  endforeach()
endforeach()

set(source "// Made from the files of src/${FOLDER}/page by tools/cmake/embed.cmake.\n")
string(APPEND source "#include \"support/page.hpp\"\n\nnamespace ballotcast::detail {\n\n")
string(APPEND source "extern const PageFiles ${CONSTANT};\n")
string(APPEND source "const PageFiles ${CONSTANT} = {\n")
foreach(part IN ITEMS html joined_STYLES joined_SCRIPTS)
  if("${${part}}" MATCHES "\\)page\"")
    message(FATAL_ERROR "a file of src/${FOLDER}/page holds what ends its string: )page\"")
  endif()
  string(APPEND source "R\"page(${${part}})page\",\n")
endforeach()
file(WRITE ${OUT} "${source}};\n\n}  // namespace ballotcast::detail\n")
