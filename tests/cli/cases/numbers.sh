# Tests numbers as pictures (--outputs), and cameras as matrices (--intrinsics, --pose).

wall='v -20 -20 -2
v 20 -20 -2
v 20 20 -2
g left
f 1 2 3'
at_zero=(--device cpu --size 8x6 --eye 0,0,0 --look-at 0,0,-1 --fov 90)

# Prints the kind and size of a PFM, and its different numbers.
pfm() {
  python3 - "$1" <<'P'
import struct, sys
kind, size, scale, data = open(sys.argv[1], "rb").read().split(b"\n", 3)
numbers = struct.unpack("<%df" % (len(data) // 4), data)
print(kind.decode(), size.decode(), *sorted(set(round(n, 5) for n in numbers)))
P
}

holds() { [[ "$(pfm "$1")" == "$2" ]] || { pfm "$1"; return 1; }; }

case_outputs_are_numbers_in_files_beside_the_picture() {
  echo "$wall" >wall.obj
  check "a picture and two outputs" succeeds "x.png, x.depth.pfm, x.part.pfm" \
    render wall.obj "${at_zero[@]}" --outputs part,depth,colour -o x.png
  check "depth is 2 in every pixel of a wall 2 ahead" holds x.depth.pfm "Pf 8 6 2.0 inf"
  check "parts are counted, and nothing is -1" holds x.part.pfm "Pf 8 6 -1.0 0.0"
  check "a single output" succeeds "wrote d.pfm" render wall.obj "${at_zero[@]}" --outputs depth -o d.pfm
  check "is the same alone" cmp d.pfm x.depth.pfm
  check "no picture is drawn for it" succeeds '"pixels_hash": null' \
    render wall.obj "${at_zero[@]}" --outputs normal -o n.pfm --json
  check "normals" holds n.pfm "PF 8 6 0.0 1.0"
  check "explain names the part" succeeds 'part      "left", number 0' \
    explain wall.obj "${at_zero[@]}" --pixel 7,5
  check "info --json lists parts" succeeds '"left"' info wall.obj --json
}

case_outputs_go_into_one_openexr_file() {
  "$ballotcast" render -o probe.exr "${small[@]}" >/dev/null 2>&1 || return 77
  echo "$wall" >wall.obj
  check "all outputs" succeeds "wrote x.exr" render wall.obj "${at_zero[@]}" -o x.exr --spp 4 --outputs \
    colour,depth,distance,position,normal,geometric-normal,uv,albedo,material,triangle,mesh,instance,part,visits,alpha
  check "mattes" succeeds "wrote m.exr" render wall.obj "${at_zero[@]}" -o m.exr --spp 4 \
    --outputs colour,crypto-object,crypto-material
  check "mattes elsewhere: exit 2" fails 2 "needs -o picture.exr" \
    render wall.obj "${at_zero[@]}" -o m.png --outputs colour,crypto-object
  if command -v exrheader >/dev/null; then
    exrheader m.exr >matte
    check "a matte has its channels" grep -q 'CryptoMaterial02.A, 32-bit floating-point' matte
    check "and the names" grep -qE 'cryptomatte/[0-9a-f]{7}/manifest .*"left"' matte
    exrheader x.exr >header
    for channel in A R depth.Z distance.Z position.X normal.Y geometric_normal.Z uv.V albedo.B; do
      check "channel $channel of floats" grep -qE "^ *$channel, 32-bit floating-point" header
    done
    for channel in material triangle mesh instance part; do
      check "channel $channel.id of integers" grep -qE "^ *$channel.id, 32-bit unsigned integer" header
    done
  fi
}

case_outputs_that_no_file_holds_are_refused() {
  mkdir out
  check "an unknown output" fails 2 "unknown output 'dept'" render "${small[@]}" --outputs dept -o out/x.exr
  check "a single output in a PNG" fails 2 "only .exr and .pfm" render "${small[@]}" --outputs depth -o out/x.png
  check "outputs on stdout" fails 2 "standard output" render "${small[@]}" --outputs colour,depth -o -
  check "alpha over a colour" fails 2 "needs the background transparent" \
    render "${small[@]}" --outputs colour,alpha --background '#ffffff' -o out/x.exr
  check "hits without a picture" fails 2 "--hits needs" render "${small[@]}" --outputs depth -o out/x.pfm --hits out/h
  check "nothing was written" nothing_left out
}

case_cameras_are_matrices_and_poses() {
  printf 'v 0.98 -1.02 -5\nv 1.02 -1.02 -5\nv 1 -0.98 -5\nf 1 2 3\n' >dot.obj
  local matrix=(--intrinsics 500,400,100,30 --size 320x240)
  local opengl=(--pose 1,0,0,0,0,1,0,0,0,0,1,0 --convention opengl)
  check "the pixel that the camera matrix says" succeeds "triangle 0" \
    explain dot.obj --device cpu "${matrix[@]}" "${opengl[@]}" --pixel 200,110
  printf '1 0 0 0\n0 -1 0 0\n0 0 -1 0\n0 0 0 1\n' >pose.txt
  printf '500 0 100\n0 400 30\n0 0 1\n' >k.txt
  check "matrices in files" succeeds "triangle 0" \
    explain dot.obj --device cpu --size 320x240 --intrinsics k.txt --pose pose.txt --pixel 200,110
  check "three numbers" fails 2 "needs 4 numbers" render "${small[@]}" --intrinsics 1,2,3 -o x.png
  check "no file" fails 2 "or a file of numbers" render "${small[@]}" --pose no.txt -o x.png
  check "a skew" fails 2 "skew" render "${small[@]}" --intrinsics 9,1,4,0,9,4,0,0,1 -o x.png
  check "two fields of view" fails 2 "--fov" render "${small[@]}" --intrinsics 9,9,4,4 --fov 40 -o x.png
  check "two places" fails 2 "--look-at" render "${small[@]}" "${opengl[@]}" --eye 1,2,3 -o x.png
  check "no rotation" fails 2 "no rotation" render "${small[@]}" --pose 1,0,0,0,0,1,0,0,0,1,1,0 -o x.png
  check "a convention alone" fails 2 "--convention is that of" render "${small[@]}" --convention ros -o x.png
}

case_cameras_have_distortion_and_other_projections() {
  printf 'v -50 -50 5\nv 50 -50 5\nv 0 99 5\nf 1 2 3\n' >far.obj
  local still=(--pose 1,0,0,0,0,1,0,0,0,0,1,0 --size 64x48 --device cpu --shade depth)
  local matrix=(--intrinsics 30,30,31.5,23.5)
  check "a lens with distortion" silent_stderr \
    render far.obj "${still[@]}" "${matrix[@]}" --distortion 0.1,0.01,0.001,0.002,0 -o distorted.png
  check "one that folds over tells of black corners" succeeds "wrote folds.png" \
    render far.obj "${still[@]}" "${matrix[@]}" --distortion=-0.6 -o folds.png
  check "with the radius in pixels" grep -qF "this lens shows nothing beyond 14.9 pixels" stderr
  check "its corners can't be explained" fails 2 "pixel 0, 0 has no ray" \
    explain far.obj "${still[@]:0:4}" --device cpu "${matrix[@]}" --distortion=-0.6 --pixel 0,0
  check "a fisheye" succeeds "wrote fish.png" \
    render far.obj "${still[@]}" --projection fisheye --fov 200 -o fish.png
  check "a panorama" silent_stderr render far.obj "${still[@]}" --projection panorama -o all.png
  printf '0.1\n0.01\n' >k.txt
  check "coefficients in a file" silent_stderr \
    render far.obj "${still[@]}" "${matrix[@]}" --distortion k.txt -o file.png
  check "a pose may lead from the world to the camera" succeeds "triangle 0" \
    explain far.obj --device cpu --size 64x48 "${matrix[@]}" --pixel 31,23 \
    --pose-is world-to-camera --pose 1,0,0,0,0,1,0,0,0,0,1,3
  check "too many coefficients" fails 2 "at most 4 coefficients" \
    render far.obj "${still[@]}" --projection fisheye --distortion 1,2,3,4,5 -o x.png
  check "an unknown projection" fails 2 "unknown projection 'fish'" render "${small[@]}" --projection fish
  check "a panorama through a lens" fails 2 "lens is for perspectives" \
    render far.obj "${still[@]}" --projection panorama --lens 1 -o x.png
  check "no pose" fails 2 "--pose-is is that of --pose" render "${small[@]}" --pose-is world-to-camera
  check "no field of view of a panorama" tells "without effect on this picture: --fov" \
    render far.obj "${still[@]}" --projection panorama --fov 50 -o x.png
}

case_cameras_of_files_are_drawn() {
  printf 'v -50 -50 5\nv 50 -50 5\nv 0 99 5\nf 1 2 3\n' >far.obj
  printf '3 OPENCV 32 24 20 20 16 12 0.1 0 0 0\n' >cameras.txt
  printf '1 1 0 0 0 0 0 0 3 rig/a.png\n\n2 1 0 0 0 1 0 2 3 rig/b.png\n\n' >images.txt
  local scene=(render far.obj --device cpu --spp 1 --shade depth)
  local all=("${scene[@]}" --cameras .)
  mkdir out twice wrong
  cp cameras.txt twice && sed 's/b.png/a.jpg/' images.txt >twice/images.txt
  echo "1 X" >wrong/cameras.txt && cp images.txt wrong
  check "all of COLMAP" succeeds "wrote out/a.png to out/b.png (2 cameras, 32x24" "${all[@]}" -o out/%s.png
  check "one of them" succeeds "wrote one.png" "${all[@]}" --camera rig/b.png -o one.png
  check "has the same bytes" cmp one.png out/b.png
  check "by its place, in another size, with outputs" succeeds "wrote out/000.png to out/001.png" \
    "${all[@]}" -o out/%03d.png --size 16x12 --outputs colour,depth
  check "depth lies beside" test -s out/001.depth.pfm
  check "a report" succeeds '"camera": "rig/b.png"' "${all[@]}" -o out/%s.png --json
  check "that is JSON" is_json stdout
  printf '{"camera_angle_x": 1, "frames": [{"file_path": "x/1", "transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0]]}]}' >t.json
  check "a transforms.json that has no size" fails 3 "no size of the pictures" "${scene[@]}" --cameras t.json -o out/%s.png
  check "gets one; what sees nothing is told" tells "1 of 1 camera see nothing of the scene; the first is 'x/1'" \
    "${scene[@]}" --cameras t.json --size 16x12 -o out/%s.png
  check "with --strict that is an error" fails 3 "sees nothing" "${scene[@]}" --cameras t.json --size 16x12 -o out/%s.png --strict
  check "a name without a place" fails 2 "needs one %s" "${all[@]}" -o out/x.png
  check "two cameras, one name" fails 2 "would both be written" "${scene[@]}" --cameras twice -o out/x%s.png
  check "no such camera" fails 2 "is it a?" "${all[@]}" --camera aa -o x.png
  check "another camera, too" fails 2 "--cameras and --fov" "${all[@]}" --fov 40 -o out/%s.png
  check "hits of several" fails 2 "--hits and --cameras" "${all[@]}" -o out/%s.png --hits h
  check "a camera of nothing" fails 2 "--camera is one of --cameras" render "${small[@]}" --camera x -o x.png
  check "a line that is wrong" fails 3 "cameras.txt: line 1: " \
    render far.obj --cameras wrong -o out/%s.png
}
