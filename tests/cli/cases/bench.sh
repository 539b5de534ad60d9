# Tests benchmarks of atomics, rays, builders and primitives, and their reports.

tiny=(--device emulated --experiment synthetic,placement,casting --rays 512)
small_rays=(bench rays "$root/scenes/blob.obj" --size 16x9)
small_builds=(bench builds "$root/scenes/cornell-box.obj" --size 16x9)

broken_row() {  # a wrong row is shown as wrong, and the run fails
  "$ballotcast" bench atomics --device emulated --experiment synthetic --include-broken \
    --atomics broken-leader --rays 512 >stdout 2>stderr
  [[ $? -eq 1 ]] && grep -q WRONG stdout && grep -q "expected" stdout
}

case_bench_atomics_counts_and_shows_what_is_wrong() {
  check "bench atomics fits in 80 columns" fits bench atomics "${tiny[@]}"
  check "bench atomics says that emulation has no times" grep -qF "times mean nothing here" stdout
  check "bench atomics counts atomics" succeeds '"atomics":512' bench atomics --json \
    --device emulated --experiment synthetic --atomics naive --rays 512 --hit-probability 1
  check "bench atomics: a broken strategy is WRONG: exit 1" broken_row
}

case_bench_atomics_refuses_unknown_choices() {
  check "bench atomics: broken strategies must be asked for" \
    fails 2 "unknown strategy 'broken-clear'" bench atomics --device emulated --atomics broken-clear
  check "bench atomics: block size 48" \
    fails 2 "block size 48" bench atomics --device emulated --block-size 48
  check "bench atomics: unknown work" \
    fails 2 "unknown work 'fmax'" bench atomics --device emulated --work fmax
  check "bench atomics: shards that are no power of two" \
    fails 2 "shards 3" bench atomics --device emulated --shards 3
  check "bench atomics: bins that there are no kernels for" \
    fails 2 "bins 4: must be 2, 8 or 32" bench atomics --device emulated --bins 4
  check "bench atomics: experiments without lanes" \
    fails 2 "experiment slots" bench atomics --device cpu --experiment slots
  check "bench atomics: unknown loop" fails 2 "loop" bench atomics --device emulated --loop sometimes
}

case_bench_atomics_recommends_what_is_fastest_here() {
  check "a recommendation for CPU threads" succeeds "only the number, CPU threads, much work" \
    bench atomics --recommend --device cpu --rays 4K --threads 2
  check "in 80 columns" fits bench atomics --recommend --device cpu --rays 4K --threads 2
  check "as JSON" succeeds '"format": "ballotcast decisions"' \
    bench atomics --recommend --device cpu --rays 4K --threads 2 --json
  check "none without times: exit 4" fails 4 "docs/atomics.md" bench atomics --recommend --device emulated
  check "nor for one kind of work: exit 2" fails 2 "work" bench atomics --recommend --device cpu --work flag
  check "nor with a choice of what to measure: exit 2" \
    fails 2 "--recommend chooses" bench atomics --recommend --device cpu --atomics naive
}

case_bench_rays_measures_what_is_right() {
  check "bench rays: every rung of the ladder, no times in emulation" \
    run 0 "5 right" "${small_rays[@]}" --device emulated --workload primary --pipeline ladder
  check "bench rays: rates on the CPU, in 80 columns" \
    run 0 "rays/s" "${small_rays[@]}" --device cpu --workload primary,random --build fast,best --layout bvh2,grid2
  check "bench rays: terrains and JSON" \
    succeeds '"triangles":2048' bench rays --triangles 2K --size 16x9 --workload ao --device cpu --json
  check "bench rays: what is listed twice is measured once, with a note" run 0 "1 right" bench rays \
    --triangles 2,2 --size 16x9 --workload primary --device cpu
  check "and that is said" grep -q "triangles 2 is listed more than once" stdout
}

old_name_is_noted() {
  "$ballotcast" "${small_rays[@]}" --device cpu --rays scene.json >stdout 2>stderr
  [[ $? -eq 3 && $(wc -l <stderr) -eq 2 ]] &&
    grep -q '^ballotcast: note: --rays FILE is now called --rays-file FILE' stderr
}

case_bench_rays_refuses_before_it_measures() {
  check "bench rays: a scene that is missing, before any is measured: exit 3" \
    fails 3 "none.obj" bench rays "$root/scenes/blob.obj" none.obj --device cpu
  check "bench rays: too large a picture: exit 2" \
    fails 2 "size 16384x16384" bench rays "$root/scenes/blob.obj" --size 16384x16384 --workload primary16 --device cpu
  check "bench rays: no scene: exit 2" fails 2 "give a scene" bench rays --device cpu
  check "bench rays: unknown workload lists the rows" \
    fails 2 "'x'; known: primary" "${small_rays[@]}" --device cpu --workload x
  check "bench rays: what doesn't go together" \
    fails 2 "warp can't use atomics naive" "${small_rays[@]}" --device cpu --pipeline warp/naive
  check "bench rays: no rays file: exit 3, names it" \
    fails 3 "scene.json" "${small_rays[@]}" --device cpu --rays-file scene.json
  check "bench rays: the old name of --rays-file, with a note" old_name_is_noted
  check "bench rays: both names of --rays-file: exit 2" \
    fails 2 "give one" "${small_rays[@]}" --device cpu --rays scene.json --rays-file scene.json
}

# Opening a pipe that no process writes to blocks for ever. So the library is a pipe here.
case_a_peers_library_is_opened_only_to_measure_the_peer() {
  mkfifo library
  export BALLOTCAST_EMBREE=$PWD/library
  check "--version does not open it" timeout 20 "$ballotcast" --version
  check "nor does the help of bench rays" timeout 20 "$ballotcast" bench rays --help
  check "nor do rays without a peer" timeout 20 "$ballotcast" bench rays "$root/scenes/cornell-box.obj" \
    --device cpu --size 8x8 --workload primary --counts
  export BALLOTCAST_EMBREE=$PWD/nothing
  check "a peer that is not there is refused" fails 2 "peer embree: " bench rays \
    "$root/scenes/cornell-box.obj" --device cpu --peer embree
}

case_bench_rays_takes_a_name_with_a_comma() {
  wall_and_lamp
  cp wall.obj 'a,b.obj'
  check "bench rays: a name with a comma" succeeds "a,b" bench rays 'a,b.obj' --device cpu --size 16x8 \
    --workload primary --json
}

case_bench_builds_measures_what_is_right() {
  check "bench builds: all builders on the CPU" run 0 "5 right" "${small_builds[@]}" --device cpu
  check "bench builds fits in 80 columns, and says what does not" \
    run 0 "Not all columns fit here" "${small_builds[@]}" --device cpu --build ploc,sbvh --layout bvh2,grid2
  check "bench builds: no times in emulation" \
    run 0 "times mean nothing here" "${small_builds[@]}" --device emulated --build ploc-reinserted/2
  check "bench builds: terrains and JSON" succeeds '"triangles":2048' \
    bench builds --triangles 2K --size 16x9 --build ploc --device cpu --json
  check "with stages and hash" grep -q '"encode_ms":.*"tree_hash":"[0-9a-f]\{16\}"' stdout
  check "bench builds: a page" run 0 "right" "${small_builds[@]}" --device cpu --build ploc --html builds.html
  check "that is there" grep -q "Each builder" builds.html
}

case_bench_builds_refuses_before_it_measures() {
  check "bench builds: no scene: exit 2" fails 2 "give a scene" bench builds --device cpu
  check "bench builds: rounds of a builder without any: exit 2" \
    fails 2 "ploc has no rounds" "${small_builds[@]}" --device cpu --build ploc/3
  check "bench builds: unknown layout lists the rows" \
    fails 2 "'bvh9'; known: auto, bvh2" "${small_builds[@]}" --device cpu --layout bvh9
  check "bench builds: unknown option" fails 2 "--workload" "${small_builds[@]}" --device cpu --workload ao
  check "bench builds: too large a picture: exit 2" \
    fails 2 "size 16384x16384: ao" bench builds "$root/scenes/blob.obj" --size 16384x16384 --device cpu
  check "bench builds: a scene that is missing: exit 3" fails 3 "none.obj" bench builds none.obj --device cpu
}

case_bench_report_shows_saved_results() {
  "$ballotcast" bench primitives --device emulated --json --html page.html >saved.json 2>stderr
  check "bench primitives: JSON and a page" test -s page.html -a -s saved.json
  check "bench report shows them again" succeeds "shuffles" bench report saved.json
  check "bench report: not results: exit 3" fails 3 page.html bench report page.html
}
