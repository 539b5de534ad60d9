# Tests frames of scenes that move, as pictures and as films.

frames=(render "$root/scenes/turning.json" "${small[@]}")
visits=("${frames[@]}" --shade visits)

case_frames_are_the_pictures_of_each_alone() {
  check "render --frames" succeeds "wrote f-08.png to f-10.png (3 frames, 16x8, lit, 1 sample per pixel)" \
    "${frames[@]}" --frames 8..10 -o f-%02d.png
  check "writes all of them" test -s f-08.png -a -s f-09.png -a -s f-10.png
  check "render --frames: one alone" succeeds "wrote alone-9.png (1 frame, " "${frames[@]}" --frames 9 -o alone-%d.png
  check "has the same bytes" cmp f-09.png alone-9.png
  check "render --frames: visits" succeeds "3 frames" "${visits[@]}" --frames 8..10 -o v-%02d.png
  check "alone" succeeds "1 frame" "${visits[@]}" --frames 10 -o w-%d.png
  check "have the same bytes, too" cmp v-10.png w-10.png
  check "another frame has not" bash -c '! cmp -s f-08.png f-09.png'
  check "render --frames --json" succeeds '"pixels_hash":' "${frames[@]}" --frames 0..1 -o j%d.png --json
}

case_frames_that_cant_be_are_refused() {
  check "render --frames: no place for the number: exit 2" \
    fails 2 "needs one %d or %04d" "${frames[@]}" --frames 0..1 -o f.png
  check "render --frames: to stdout: exit 2" \
    fails 2 "pictures can't go to stdout" "${frames[@]}" --frames 1..1 -o /dev/fd/%d
  check "render --frames: no numbers: exit 2" fails 2 "needs A..B" "${frames[@]}" --frames 1..x -o f%d.png
  check "render --frames: the wrong way round: exit 2" \
    fails 2 "the last frame comes before the first" "${frames[@]}" --frames 3..1 -o f%d.png
  check "render --frames: no scene file: exit 2" \
    fails 2 "scene files (.json) and glTF files (.gltf, .glb) have" \
    render "$root/scenes/blob.obj" "${small[@]}" --frames 0..1 -o f%d.png
}

# Writes a file with a triangle that has a corner at 0, 0, 0 and moves by 1 along x within a second.
animated_triangle() {  # animated_triangle FILE
  local numbers='\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
  numbers+='\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0'
  # shellcheck disable=SC2059  # the format is the data
  printf "$numbers" >animated.bin
  cat >"$1" <<'GLTF'
{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "animations": [{"name": "Slide", "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
   "samplers": [{"input": 1, "output": 2}]}],
 "accessors": [{"bufferView": 0, "type": "VEC3", "componentType": 5126, "count": 3},
   {"bufferView": 1, "type": "SCALAR", "componentType": 5126, "count": 2},
   {"bufferView": 2, "type": "VEC3", "componentType": 5126, "count": 2}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 8},
   {"buffer": 0, "byteOffset": 44, "byteLength": 24}], "buffers": [{"uri": "animated.bin", "byteLength": 68}]}
GLTF
}

# Expects that the alpha in a PFM of 16x16 pixels is above 0 somewhere, but 0 at the edges of the
# picture.
has_room_around() {
  tail -c $((16 * 16 * 4)) "$1" | od -An -v -w64 -t f4 | awk '
    { for (i = 1; i <= 16; ++i) if ($i > 0) { ++seen; if (i == 1 || i == 16 || NR == 1 || NR == 16) ++edge } }
    END { exit !(seen > 0 && !edge) }'
}

case_animations_of_gltf_files_are_frames() {
  animated_triangle a.gltf
  local view=(render a.gltf --shade normal --size 16x8 --spp 1 --eye 0,0,3 --look-at 0,0,0)
  check "render a.gltf: at rest, without a warning" succeeds "wrote r.png" "${view[@]}" --strict -o r.png
  check "info names its animations" succeeds "0 Slide" info a.gltf
  check "pack says that it leaves them out" \
    succeeds "wrote p.bcast" pack a.gltf -o p.bcast
  check "in a note" grep -q "animations are left out" stderr
  check "render --frames" succeeds "3 frames" "${view[@]}" --frames 11..13 -o a-%d.png
  check "alone" succeeds "1 frame" "${view[@]}" --frames 12 -o b-%d.png
  check "has the same bytes" cmp a-12.png b-12.png
  check "--time" succeeds "wrote t.png" "${view[@]}" --time 0.5 -o t.png
  check "has the bytes of the frame" cmp a-12.png t.png
  check "--fps, --animation" succeeds "1 frame" "${view[@]}" --fps 10 --animation Slide --frames 5 -o c-%d.png
  check "have them, too" cmp c-5.png t.png
  check "emulated" succeeds "wrote e.png" "${view[@]}" --time 0.5 --device emulated -o e.png
  check "has them, too" cmp e.png t.png
  check "and at rest it is another picture" bash -c '! cmp -s r.png t.png'
  check "render --frames: without a camera" succeeds "3 frames" \
    render a.gltf --shade normal --size 16x8 --spp 1 --frames 0..2 -o s-%d.png
  check "it stands still and sees the motion" bash -c '! cmp -s s-0.png s-2.png'
  check "render --frames: the alpha of the last one" succeeds "1 frame" \
    render a.gltf --outputs alpha --size 16x16 --spp 1 --frames 24 -o w-%d.pfm
  check "shows all of what has moved" has_room_around w-24.pfm
  check "render --frames: one without a camera" succeeds "1 frame" \
    render a.gltf --shade normal --size 16x8 --spp 1 --frames 2 -o u-%d.png
  check "has the camera of frame 0, too" cmp s-2.png u-2.png
  check "the last frame stays" succeeds "1 frame" "${view[@]}" --frames 24 -o d-%d.png
  check "for good" succeeds "1 frame" "${view[@]}" --frames 900 -o d-%d.png
  check "with the same bytes" cmp d-24.png d-900.png
}

case_scenes_at_a_time() {
  animated_triangle a.gltf
  check "info: the box at rest" succeeds "(0, 0, 0) to (1, 1, 0)" info a.gltf
  check "info --time: that of this time" succeeds "(0.5, 0, 0) to (1.5, 1, 0)" info a.gltf --time 0.5
  check "pack --time" succeeds "wrote m.bcast" pack a.gltf --time 0.5 --animation Slide -o m.bcast
  check "does not say that animations are left out" bash -c '! grep -q "left out" stderr'
  check "packs the scene of this time" succeeds "(0.5, 0, 0) to (1.5, 1, 0)" info m.bcast
  local ray=(--ray 1.25,0.125,2,0,0,-1 --device cpu)
  check "explain --time" succeeds "hit       triangle 0 at t 2" explain a.gltf "${ray[@]}" --time 0.5
  check "at rest nothing is there" succeeds "nothing" explain a.gltf "${ray[@]}"
  for command in info pack explain; do
    check "$command --fps without a time: exit 2" fails 2 "--fps needs --time SECONDS" $command a.gltf --fps 9
  done
}

case_animations_that_cant_play_are_refused() {
  animated_triangle a.gltf
  check "--animation of none: exit 3" \
    fails 3 'a.gltf: has no animation "Hop"; it has 0 "Slide"' render a.gltf --animation Hop --time 1 -o n.png
  check "--animation without a time: exit 2" fails 2 "--animation needs --frames A..B or --time SECONDS" \
    render a.gltf --animation Slide -o n.png
  check "--time and --frames: exit 2" \
    fails 2 "--frames and --time can't be used together" render a.gltf --frames 1 --time 1 -o n%d.png
  check "--time of what stands still: exit 2" fails 2 "has no animation to play" render --time 1 -o n.png
  # Changes the second key, so that it moves the triangle by 3.4e38.
  printf '\377\377\177\177' | dd of=animated.bin bs=1 seek=56 conv=notrunc status=none
  check "--frames: a frame that can't be drawn: exit 3" \
    fails 3 "a.gltf: animations[0] \"Slide\" moves vertices beyond 2^40" render a.gltf --frames 1 -o n%d.png
  check "does not matter to others" succeeds "1 frame" render a.gltf "${small[@]}" --frames 0 -o n%d.png
  check "--frames --animation none: exit 2" \
    fails 2 "has no animation to play" render a.gltf --frames 1 --animation none -o n%d.png
}

# Makes programs that replace ffmpeg: one writes the number of bytes that it reads, and two fail.
programs_for_ffmpeg() {
  mkdir counts fails hasty
  printf '#!/bin/sh\necho "$@" >words\nfor last; do :; done\nwc -c >"${last#file:}"\n' >counts/ffmpeg
  printf '#!/bin/sh\ncat >/dev/null\necho first >&2\necho "no such codec" >&2\nexit 3\n' >fails/ffmpeg
  printf '#!/bin/sh\nexit 0\n' >hasty/ffmpeg
  chmod +x counts/ffmpeg fails/ffmpeg hasty/ffmpeg
}

with_ffmpeg() {  # with_ffmpeg FOLDER COMMAND...
  local PATH=$PWD/$1:$PATH
  shift
  "$@"
}

case_films_are_made_by_ffmpeg() {
  programs_for_ffmpeg
  for film in f.mp4 F.GIF; do
    check "render --frames: $film" with_ffmpeg counts \
      succeeds "wrote $film (3 frames, 16x8, lit, 1 sample per pixel)" "${frames[@]}" --frames 8..10 -o $film
    check "it has the pixels of all frames" grep -q "^ *$((3 * 16 * 8 * 3))$" $film
  done
  check "ffmpeg is told what it gets" grep -q -- "-f rawvideo -pixel_format rgb24 -video_size 16x8 -framerate 24 -i pipe:0" words
  check "render --frames: a film, --json" with_ffmpeg counts \
    succeeds '"output": "j.mp4"' "${frames[@]}" --frames 0..1 -o j.mp4 --json
  check "render --frames: a film of odd size is padded, and says so" with_ffmpeg counts \
    succeeds "17x9, padded to 18x10" "${frames[@]}" --size 17x9 --frames 0..1 -o odd.mp4
}

fails_without_ffmpeg() {
  local words=$1
  shift
  PATH=$PWD "$ballotcast" "$@" >stdout 2>stderr
  [[ $? -eq 2 && ! -s stdout ]] && grep -qF -- "$words" stderr
}

case_a_film_that_ffmpeg_cant_make_is_told() {
  programs_for_ffmpeg
  check "render --frames: ffmpeg fails: exit 3" with_ffmpeg fails \
    fails 3 "command 'ffmpeg' failed with exit code 3: no such codec" "${frames[@]}" --frames 0..1 -o no.mp4
  check "render --frames: ffmpeg makes nothing: exit 3" with_ffmpeg hasty \
    fails 3 "no.mp4" "${frames[@]}" --frames 0..1 -o no.mp4
  check "and no film is left" test ! -e no.mp4
  check "render --frames: no ffmpeg: exit 2" \
    fails_without_ffmpeg "made by the program ffmpeg, which was not found" "${frames[@]}" --frames 0..1 -o no.mp4
}

probed() {  # probed FILM WIDTH,HEIGHT,RATE,FRAMES
  [[ $(ffprobe -v error -count_frames -show_entries stream=width,height,r_frame_rate,nb_read_frames \
    -of csv=p=0 "$1") == "$2" ]]
}

case_the_real_ffmpeg_makes_a_film() {
  needs ffprobe
  check "render --frames: a film by ffmpeg" succeeds "wrote real.mp4" "${frames[@]}" --frames 0..2 --fps 5 -o real.mp4
  check "it has its size, rate and frames" probed real.mp4 16,8,5/1,3
}

case_films_that_cant_be_are_refused() {
  programs_for_ffmpeg
  check "render: --fps without frames: exit 2" \
    fails 2 "--fps needs --frames A..B or --time SECONDS" "${frames[@]}" --fps 10 -o f.png
  check "render --frames: a GIF too fast: exit 2" with_ffmpeg counts \
    fails 2 "a GIF can have at most 50" "${frames[@]}" --frames 0..1 --fps 60 -o no.gif
  check "render --frames: a film with a number: exit 2" with_ffmpeg counts \
    fails 2 "its name can't have a %" "${frames[@]}" --frames 0..1 -o no%d.mp4
  check "render --frames: neither picture nor film: exit 2" \
    fails 2 "or as a film (MP4, GIF)" "${frames[@]}" --frames 0..1 -o no.webm
  check "render: a film of one picture: exit 2" \
    fails 2 "a film needs --frames A..B" "${frames[@]}" -o no.mp4
}
