# Tests what can be given as a scene, and how meshes are added to it.

case_scenes_that_cant_be_drawn_are_refused_by_name() {
  triangle
  : >empty.obj
  : >empty.json
  printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' >points.obj
  gzip -c "$root/scenes/cornell-box.obj" | head -c 200 >cut.obj.gz
  printf 'not gzip' >text.obj.gz
  printf '{"meshes": ["missing.obj"]}' >missing.json
  printf '{"meshes": [' >broken.json
  printf '{"meshes": ["triangle.obj"], "shading": "shiny"}' >shading.json
  mkdir folder.obj
  for file in nothing.obj nothing.json empty.obj empty.json points.obj cut.obj.gz folder.obj \
    missing.json broken.json shading.json; do
    check "$file: exit 3, names it" fails 3 "$file" render "${small[@]}" "$file" -o x.png
  done
  check "text as .obj.gz: exit 3, names it" \
    fails 3 "text.obj.gz" render "${small[@]}" text.obj.gz -o x.png
  check "a folder without a scene's name: exit 3" fails 3 "$work" render "${small[@]}" "$work"
  check "info on a missing file: exit 3" fails 3 "nothing.obj" info nothing.obj
  check "a folder is no scene: exit 3" fails 3 "/tmp: is a folder" render /tmp
  check "the scene as output: exit 2" fails 2 "triangle.obj" render triangle.obj -o ./triangle.obj
  check "no picture of a scene that can't be drawn" test ! -e x.png
}

indices_out_of_range() {
  "$ballotcast" render "${small[@]}" indices.obj -o i.png >stdout 2>stderr
  case $? in
    0) grep -q '^ballotcast: warning: .*indices.obj' stderr ;;
    3) grep -q 'indices.obj' stderr ;;
    *) return 1 ;;
  esac
}

case_indices_out_of_range_are_told() {
  printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 99\nf 0 0 0\n' >indices.obj
  check "indices out of range: a warning or exit 3, named" indices_out_of_range
}

case_formats_give_the_same_picture() {
  triangle
  gzip -k triangle.obj
  check "a scene file" succeeds "wrote t.png" render "${small[@]}" triangle.obj -o t.png
  check "a compressed scene" succeeds wrote render "${small[@]}" triangle.obj.gz -o z.png
  check "the same picture of both" cmp -s t.png z.png
  printf 'solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\nendsolid a\n' >triangle.stl
  printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' >triangle.ply
  for format in stl ply; do
    check "a scene in $format" succeeds wrote render "${small[@]}" triangle.$format -o z.png
    check "the same picture of $format" cmp -s t.png z.png
    head -c 60 triangle.$format >cut.$format
    check "a cut $format: exit 3, names it" fails 3 "cut.$format" info cut.$format
    check "hits named like a $format: exit 2" \
      fails 2 "named like scene files" render "${small[@]}" --hits z.$format -o z.png
  done
}

case_options_win_over_the_scene_file() {
  triangle
  check "negative places are values, not options" \
    succeeds wrote render "${small[@]}" --eye -.5,1,-9 --look-at -1,0,0 -o n.png
  check "an option twice: the last counts" \
    succeeds "(9x7," render "${small[@]}" --size 9x7 -o n.png
  check "options win over the scene file" test "$(
    printf '{"meshes": ["triangle.obj"], "camera": {"eye": [0,0,3], "look_at": [0,0,0]}, "shading":
      "depth"}' >scene.json
    "$ballotcast" render "${small[@]}" scene.json --shade facing --fov 60 -o n.png --json |
      grep -cE '"shading": "facing"|"fov_degrees": 60'
  )" -eq 2
}

# The meshes of a scene file, and the same meshes as options, give the same picture.
case_meshes_are_placed_by_options_as_by_a_scene_file() {
  cat >placed.json <<END
{"meshes": ["$root/scenes/blob.obj",
            {"file": "$root/scenes/terrain.obj", "translate": [0, 1.5, 0], "scale": 0.01, "rotate_y": 30}]}
END
  "$ballotcast" render placed.json --size 40x24 --device cpu -o by_file.png >/dev/null 2>&1
  "$ballotcast" render "$root/scenes/blob.obj" --mesh "$root/scenes/terrain.obj@0,1.5,0,0.01,30" \
    --size 40x24 --device cpu -o by_option.png >/dev/null 2>&1
  check "--mesh places as a scene file does" cmp by_file.png by_option.png
  check "--mesh beyond coordinates: exit 2" fails 2 "beyond 2^40" render --mesh "$root/scenes/blob.obj@1e13,0,0"
  check "--mesh with half a place: exit 2" fails 2 "--mesh needs FILE" render --mesh a.obj@1,2
}

# Lamps of added meshes shine in the same way, whether a scene file or an option adds the mesh.
case_lamps_of_an_added_mesh_are_those_of_a_scene_file() {
  wall_and_lamp
  printf '{"meshes": ["wall.obj", "lamp.obj"]}' >lit.json
  "$ballotcast" render lit.json "${small[@]}" -o lit1.png >stdout 2>stderr
  "$ballotcast" render wall.obj --mesh lamp.obj "${small[@]}" -o lit2.png >stdout 2>stderr
  "$ballotcast" render --mesh wall.obj --mesh lamp.obj "${small[@]}" -o lit3.png >stdout 2>stderr
  check "lamps of a --mesh light as those of a scene file" cmp lit1.png lit2.png
  check "and without SCENE" cmp lit1.png lit3.png
}

says_what_is_dropped() {
  "$ballotcast" render wall.obj --mesh lamp.json "${small[@]}" -o lit4.png >stdout 2>stderr &&
    grep -q "warning: lamp.json: settings of an added mesh are ignored: up, sky, shading, exposure$" stderr
}

case_settings_of_an_added_scene_file_are_told_to_be_ignored() {
  wall_and_lamp
  printf '{"meshes": ["lamp.obj"], "shading": "lit", "exposure": 2, "up": [0, 0, 1], "sky": {"strength": 1}}' >lamp.json
  check "--mesh of a scene file says what it doesn't take" says_what_is_dropped
}

case_an_unknown_shading_in_a_scene_file_is_refused_by_every_command() {
  wall_and_lamp
  printf '{"meshes": ["wall.obj"], "shading": "lid"}' >lid.json
  for command in "render -o lid.png" "explain --pixel 1,1" info "bench rays --device cpu"; do
    # shellcheck disable=SC2086  # words of the command
    check "$command of a file that wants an unknown shading: exit 3, names it" \
      fails 3 "lid.json: unknown shading 'lid'" $command lid.json
  done
}

draws_in_time() { timeout 10 "$ballotcast" render pile.obj "${small[@]}" -o pile.png >stdout 2>stderr; }

# No split of the tree separates these equal faces, so each ray tests all of them. The scene has no
# camera, so rays are needed to choose one.
case_a_pile_of_equal_faces_is_drawn_in_time() {
  { printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'; yes 'f 1 2 3' | head -600000; } >pile.obj
  check "a pile of 600,000 copies of a face is drawn within 10 s" draws_in_time
  check "info counts copies" succeeds "600,000, 599,999 of them copies of others" info pile.obj
}

escapes() {  # escapes LINES ARGUMENTS...: the file's name is on LINES lines of the output, escaped
  "$ballotcast" "${@:2}" >stdout 2>stderr || return 1
  [[ $(cat stdout stderr | grep -cF 'o\x1b[31m\x0ad\xc2\x9bd') -eq $1 ]] &&
    ! cat stdout stderr | LC_ALL=C grep -q $'\x1b\\|\xc2\x9b'
}

case_control_characters_of_a_name_are_escaped() {
  triangle
  draw picture.png
  odd_name=$'o\x1b[31m\nd\xc2\x9bd'
  cp triangle.obj "$odd_name.obj" && cp picture.png "$odd_name.png"
  check "control characters of a name: render" escapes 1 render "${small[@]}" -o "$odd_name.png"
  check "control characters of a name: render to stderr" \
    escapes 1 render "$odd_name.obj" "${small[@]}" -o "$odd_name.png" --eye 0,0,5 --look-at 0,0,9
  check "control characters of a name: info" escapes 1 info "$odd_name.obj"
  check "control characters of a name: compare" escapes 3 compare "$odd_name.png" "$odd_name.png" \
    --diff "$odd_name.d.png"
}
