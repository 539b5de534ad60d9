# Tests comparisons of pictures.

# Pictures of 3x2 pixels: one colour; one sample larger by 1; one alpha smaller; 16 bits; one low
# byte different by 1.
png() { base64 -d >"$1.png" <<<"$2"; }
pictures() {
  png rgb iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mPgEpGDIAY4CwANrAFpEFDRUwAAAABJRU5ErkJggg==
  png off iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAE0lEQVR42mPgEpGDIAYQJQpiAQANsQFqxDKwZAAAAABJRU5ErkJggg==
  png rgba iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEUlEQVR42mPgEpH7D8MMyBwAV1kHY0RsVFsAAAAASUVORK5CYII=
  png alpha iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAE0lEQVR42mPgEpH7D8UnGJA4/wFUVwcs2uhPsQAAAABJRU5ErkJggg==
  png deep iVBORw0KGgoAAAANSUhEUgAAAAMAAAACEAIAAABChi0OAAAAE0lEQVR42mPg4hIRkZNDJhkwhQAztgLRihUXlwAAAABJRU5ErkJggg==
  png low iVBORw0KGgoAAAANSUhEUgAAAAMAAAACEAIAAABChi0OAAAAFElEQVR42mPg4hIRkZNDJhkwhOQBM7cC0pd6Gm0AAAAASUVORK5CYII=
}

# Pictures of one pixel as PFM: 1,2,3; 1,2,4; and a file that is cut off.
linear_pictures() {
  printf 'PF\n1 1\n-1\n\0\0\200?\0\0\0@\0\0@@' >three.pfm
  printf 'PF\n1 1\n-1\n\0\0\200?\0\0\0@\0\0\200@' >four.pfm
  head -c 20 four.pfm >cut.pfm
}

# Expects exit code $1, $2 in the first line, and the last line $3. Further arguments: the files and
# options.
compares() {
  local code=$1 first=$2 last=$3
  shift 3
  "$ballotcast" compare "$@" >stdout 2>stderr
  [[ $? -eq $code && ! -s stderr && $(tail -n 1 stdout) == "$last" ]] &&
    head -n 1 stdout | grep -qF -- "$first" && ! grep -qE '^.{81}' stdout
}

within() { compares 0 "1 of 6 pixels differ" "within limits" rgb.png off.png "$@"; }
beyond() { compares 1 "1 of 6 pixels differ" different rgb.png off.png "$@"; }

case_pictures_differ_by_what_is_seen() {
  pictures
  check "compare: the same file" compares 0 "Every sample of 6 pixels is the same" same rgb.png rgb.png
  check "compare: opaque alpha is no difference" compares 0 "Every sample" same rgb.png rgba.png
  check "compare: 16 bits are no difference" compares 0 "Every sample" same deep.png rgba.png
  check "compare: one sample off by one" compares 1 "1 of 6 pixels differ" different rgb.png off.png
  check "compare: says which" grep -q "worst pixel  1,1, by 1 of 255: RGBA 10,20,30,255" stdout
  check "compare: alpha alone" compares 1 "differ (16.6667 %), in alpha alone" different rgba.png alpha.png
  check "compare: one low byte of 16 bits" compares 1 "1 of 6 pixels differ" different deep.png low.png
  check "compare: the larger scale is said" grep -q "by 1 of 65535" stdout
}

case_limits_decide_what_is_the_same() {
  pictures
  check "compare: --max-error 1 keeps" within --max-error 1
  check "compare: --max-error 0 breaks" beyond --max-error 0
  check "compare: --fail-percent 17 keeps" within --fail-percent 17
  check "compare: --fail-percent 16 breaks" beyond --fail-percent 16
  check "compare: --fail keeps" within --fail rms=0.3 --fail psnr=50
  check "compare: one limit of two breaks" beyond --fail rms=0.3 --fail psnr=70
  check "compare: says which limit" grep -q "limit .*psnr .* BREAKS its limit, at least 70" stdout
  check "compare: --allow leaves pixels out" \
    compares 0 "Every sample of 5 pixels" same rgb.png off.png --allow 1,1,1,1
  check "compare: --allow elsewhere doesn't help" \
    compares 1 "1 of 5 pixels" different rgb.png off.png --allow 0,0,1,1
}

case_limits_that_cant_be_are_refused() {
  pictures
  check "compare: NaN is no limit: exit 2" fails 2 "not 'nan'" compare rgb.png off.png --fail rms=nan
  check "compare: a limit out of reach: exit 2" fails 2 "--fail flip" compare rgb.png off.png --fail flip=5
  check "compare: a step out of reach: exit 2" fails 2 "--max-error" compare rgb.png off.png --max-error 256
  check "compare: unknown metric lists the rows" \
    fails 2 "'x'; known: mean, rms" compare rgb.png off.png --fail x=1
  check "compare: a metric without limit: exit 2" fails 2 "METRIC=X" compare rgb.png off.png --fail rms
  for part in 1,2,3 0,0,4,1 3,0,1,1 0,0,0,1 -1,0,1,1 0,0,3,2; do
    check "compare: --ignore $part: exit 2" fails 2 "--ignore" compare rgb.png off.png --ignore "$part"
  done
}

endless_is_refused() { timeout 20 "$ballotcast" compare rgb.png /dev/zero >stdout 2>stderr; [[ $? -eq 3 ]]; }

case_files_that_cant_be_compared_are_refused() {
  pictures
  check "compare: one file: exit 2" fails 2 "two files" compare rgb.png
  check "compare: three files: exit 2, names it" fails 2 "'low.png'" compare rgb.png off.png low.png
  check "compare: missing file: exit 3, names it" fails 3 "none.png" compare rgb.png none.png
  head -c 60 rgb.png >cut.png
  check "compare: half a file: exit 3, names it" fails 3 "cut.png" compare rgb.png cut.png
  check "a picture without an end is refused" endless_is_refused
  check "compare: no PNG: exit 3, names it" fails 3 "README.md: not a picture; known: PNG, JPEG" compare rgb.png "$root/README.md"
  check "compare: --diff onto an input: exit 2" fails 2 "destroy" compare rgb.png off.png --diff ./rgb.png
  check "compare: --diff and --flip in one: exit 2" \
    fails 2 "same file" compare rgb.png off.png --diff d.png --flip ./d.png
  check "compare: --diff as JPEG: exit 2" fails 2 "d.jpg" compare rgb.png off.png --diff d.jpg
  check "compare: --diff in no directory: exit 3" fails 3 "no/d.png" compare rgb.png off.png --diff no/d.png
  check "compare: none of this left a file" test "$(find . -name '*.png' | wc -l)" -eq 7
}

other_sizes_are_different() {
  compares 1 "The sizes differ: the reference has 16x8 pixels, the result 3x2." different \
    large.png rgb.png --diff d.png --flip f.png --html d.html "$@" && [[ -s f.png ]]
}

case_pictures_of_other_sizes_differ_and_are_shown() {
  pictures
  draw large.png
  check "compare: other sizes are said first" other_sizes_are_different
  check "compare: no limit allows another size" other_sizes_are_different --fail-percent 100
  check "compare: says what is compared" grep -q "3x2 pixels are compared" stdout
  check "compare: says what the stripes mean" grep -q "orange: only the" stdout
  check "compare: the difference is as large as both" compares 0 "Every sample of 128" same d.png d.png
  check "compare: the page says it" grep -q "The sizes differ: the reference has 16x8 pixels" d.html
}

case_ids_are_equal_or_not() {
  pictures
  check "compare --ids: colours are ids" compares 1 "1 of 6 pixels differ" different rgb.png off.png --ids --html i.html
  check "compare --ids: names the first" grep -q "first pixel  1,1: 660510 in the reference, 660766 in" stdout
  "$ballotcast" compare rgb.png off.png --ids --json >json 2>stderr
  check "compare --ids: JSON has the ids" grep -q '"result": 660766' json
  check "compare --ids: measures nothing" test "$(grep -c "flip\|rms\|worst" stdout)" -eq 0
  check "compare --ids: the limit that is needed" grep -q "^needed: --fail-percent 16.7$" stdout
  check "compare --ids: the page measures nothing" test "$(grep -c '"name":"flip"' i.html)" -eq 0
  check "compare --ids: --fail-percent" compares 0 "1 of 6" "within limits" rgb.png off.png --ids --fail-percent 17
  check "compare --ids: --fail: exit 2" fails 2 "--fail measures" compare rgb.png off.png --ids --fail flip=1
  printf 'Pf\n2 1\n-1\n\1\0\0\0\2\0\0\0' >one.pfm
  printf 'Pf\n2 1\n-1\n\1\0\0\0\3\0\0\0' >two.pfm
  check "compare --ids: bits of floats" compares 1 "1 of 2 pixels differ" different one.pfm two.pfm --ids
  check "compare --ids: which" grep -q "first pixel  1,0: 2 in the reference, 3 in" stdout
  linear_pictures
  check "compare --ids: three channels: exit 3" fails 3 "three channels" compare three.pfm four.pfm --ids
}

case_pixels_are_ignored() {
  pictures
  check "compare: --ignore is --allow" \
    compares 0 "Every sample of 5 pixels" same rgb.png off.png --ignore 1,1,1,1
  check "compare: says how many" grep -q "3x2 pixels, 1 ignored" stdout
  "$ballotcast" compare rgb.png off.png --diff where.png >stdout 2>stderr
  check "compare: --ignore-where the difference is not black" \
    compares 0 "Every sample of 5 pixels" same rgb.png off.png --ignore-where where.png --html i.html
  check "compare: the page says it" grep -q "1 pixel is ignored: grey stripes" i.html
  draw large.png
  check "compare: --ignore-where of another size: exit 3" fails 3 "large.png has 16x8 pixels" \
    compare rgb.png off.png --ignore-where large.png
  check "compare: --diff onto --ignore-where: exit 2" fails 2 "destroy" \
    compare rgb.png off.png --ignore-where where.png --diff where.png
}

case_the_limits_that_would_be_needed_are_said() {
  pictures
  "$ballotcast" compare rgb.png off.png >said 2>stderr
  check "compare: needed limits in a line" grep -q "^needed: --max-error 1 --fail-percent 16.7 --fail flip=" said
  check "compare: they are enough" within $(sed -n 's/^needed: //p' said)
  "$ballotcast" compare rgb.png off.png --fail rms=0.1 >said 2>stderr
  check "compare: needed limits are those that were given" grep -q "^needed: --fail rms=0.236$" said
  linear_pictures
  "$ballotcast" compare three.pfm four.pfm >said 2>stderr
  check "compare: needed limits of linear pictures" compares 0 "1 of 1" "within limits" three.pfm four.pfm \
    $(sed -n 's/^needed: //p' said)
}

case_ci_services_are_told_of_differences() {
  pictures
  "$ballotcast" compare rgb.png off.png --github --junit j.xml >stdout 2>stderr
  check "compare --github: an annotation" grep -qx "::error file=off.png,title=off.png::different: 1 of 6 pixels.*" stderr
  check "compare --junit: a failure" grep -q '<failure type="different"' j.xml
  check "compare --junit as .txt: exit 2" fails 2 "XML" compare rgb.png off.png --junit j.txt
  mkdir a b
  cp rgb.png a && cp off.png b/rgb.png && cp off.png b/new.png
  "$ballotcast" compare a b --github --junit j.xml >stdout 2>stderr
  check "compare --github: of each picture in folders" test "$(grep -c '^::error file=b/' stderr)" -eq 2
  check "compare --junit: of each picture in folders" grep -q 'tests="2" failures="2"' j.xml
}

# The pictures are a lossless WebP of 3x2 pixels, and a BMP of 1x1 pixel.
case_pictures_of_other_formats_are_compared() {
  pictures
  png webp "UklGRkwAAABXRUJQVlA4TEAAAAAvAkAAEC+gtG0jONjvDh08XDENMZ8UwkquJgABxurgE19OAkkbo+/FTwi3Zkffps1/UMg2ApzaPURHchH9j/UC"
  mv webp.png six.webp
  if ! "$ballotcast" compare six.webp six.webp >stdout 2>stderr; then
    check "compare: WebP is not built in" grep -q "without libwebp" stderr
    return
  fi
  check "compare: a WebP with a PNG" compares 1 "5 of 6 pixels differ" different six.webp rgb.png --html w.html
  check "compare: the page has both as PNG" test "$(grep -o 'iVBORw0KGgo' w.html | wc -l)" -ge 4
  head -c 60 six.webp >cut.webp
  check "compare: half a WebP: exit 3" fails 3 "cut.webp: damaged WebP" compare six.webp cut.webp
}

case_folders_are_compared_by_name() {
  pictures
  mkdir -p a/in b/in
  cp rgb.png a/same.png && cp rgba.png b/same.png
  cp rgb.png a/in/off.png && cp off.png b/in/off.png
  cp rgb.png a/gone.png
  cp rgb.png b/fresh.png
  head -c 60 rgb.png | tee a/cut.png >b/cut.png
  echo words >b/notes.txt
  check "compare folders: all verdicts in one line" compares 1 \
    "5 pictures: 1 same, 1 different, 1 missing, 1 new, 1 error." different a b --html p.html
  check "compare folders: says what differs" grep -A1 -F "different: in/off.png" stdout
  check "compare folders: in words" grep -q "1 of 6 pixels differ" stdout
  check "compare folders: says who has it" grep -q "Only a has it" stdout
  check "compare folders: names the damaged file" grep -q "cut.png: damaged PNG" stdout
  check "compare folders: other files are said" grep -q "1 file that is no picture, such as b/notes.txt" stdout
  check "compare folders: one page with all" test "$(grep -o '"verdict":"[a-z]*"' p.html | sort | uniq | wc -l)" -eq 5
  rm a/gone.png b/fresh.png ?/cut.png
  check "compare folders: limits are for each picture" compares 0 "1 same, 1 within limits" "within limits" \
    a b --max-error 1
  check "compare folders: the same" compares 0 "2 pictures: 2 same." same a a
  check "compare folders: --json" folder_json
  check "compare folders: JSON has each picture" grep -q '"name": "in/off.png"' json
  mkdir empty
  check "compare folders: without pictures: exit 3" fails 3 "neither empty nor empty has a picture" compare empty empty
  check "compare folders: with a file: exit 2" fails 2 "'rgb.png' is no folder" compare a rgb.png
  check "compare folders: --diff: exit 2" fails 2 "--diff is for two files" compare a b --diff d.png
  check "compare folders: names the picture that an option does not suit" \
    fails 2 "in/off.png: --ignore" compare a b --ignore 3,0,1,1
  check "compare folders: --block without linear ones: exit 2" fails 2 "--block is for linear" compare a b --block 3
}

folder_json() { "$ballotcast" compare a b --json >json 2>stderr; [[ $? -eq 1 ]] && is_json json; }

case_a_picture_of_the_differences_is_written() {
  pictures
  check "compare: writes both pictures" beyond --diff d.png --flip f.png
  check "compare: says how much it amplified" grep -q "d.png, times 255" stdout
  check "compare: they are PNG" test "$(head -c 4 d.png | tail -c 3)$(head -c 4 f.png | tail -c 3)" = PNGPNG
  check "compare: a difference of nothing" compares 0 "Every sample" same rgb.png rgb.png --diff black.png
  check "compare: only the pixel is in the difference" \
    compares 1 "1 of 6 pixels differ" different black.png d.png
  check "compare: where it is" grep -q "worst pixel  1,1, by 255 of 255" stdout
}

differ_without_limits() {
  "$ballotcast" compare rgb.png off.png --html q.html >stdout 2>stderr
  [[ $? -eq 1 ]] && grep -qF 'pixels differ; no limit was set.' q.html && grep -qF '"outcome":"to review"' q.html &&
    [[ $(grep -oE '"name":"(max error|max|largest difference)"' q.html | wc -l) -eq 1 ]]
}

case_a_page_of_the_differences_is_written() {
  pictures
  check "compare --html: a page" beyond --html p.html
  check "compare --html holds both pictures" test "$(grep -o 'iVBORw0KGgo' p.html | wc -l)" -ge 4
  check "compare --html in a picture: exit 2" fails 2 "call it .html" compare rgb.png off.png --html new.png
  check "compare --html: .HTM will do" beyond --html p.HTM
  check "compare --html -: exit 2" fails 2 "can't share stdout" compare rgb.png off.png --html -
  check "compare --html without limits speaks of no failure, and says the largest difference once" differ_without_limits
  check "compare --html onto an input: exit 2" fails 2 "one of the pictures" compare rgb.png off.png --html ./off.png
}

compare_json() { "$ballotcast" compare rgb.png off.png --json >json 2>stderr; [[ $? -eq 1 ]] && is_json json; }

case_the_report_of_a_comparison_is_json() {
  pictures
  check "compare --json: one JSON document, exit 1" compare_json
  check "compare --json has the outcome" grep -q '"outcome": "different"' json
}

case_linear_pictures_are_compared_by_ratios() {
  linear_pictures
  check "compare linear: the same file" compares 0 "Every sample of 1 pixels" same three.pfm three.pfm
  check "compare linear: one number" compares 1 "1 of 1 pixels differ" different three.pfm four.pfm
  check "compare linear: relative difference" grep -q "linear max .*0.25 " stdout
  check "compare linear: says the exposure" grep -q "8-bit pictures with exposure 0.268875" stdout
  check "compare linear: a limit keeps" compares 0 "1 of 1" "within limits" three.pfm four.pfm \
    --fail-linear block=0.25 --exposure 2
  check "compare linear: --exposure counts" grep -q "8-bit pictures with exposure 2," stdout
  check "compare linear: a limit breaks" compares 1 "1 of 1" different three.pfm four.pfm \
    --fail-linear block=0.25 --fail-linear max=0.2
  check "compare linear: says which" grep -q "linear max 0.25 BREAKS its limit, at most 0.2" stdout
  check "compare linear: alike where it is seen, but not the same" \
    compares 1 "1 of 1 pixels differ" different three.pfm four.pfm --exposure 0
}

case_linear_pictures_that_cant_be_compared_are_refused() {
  pictures
  linear_pictures
  draw large.pfm
  check "compare linear: with a PNG: exit 3" fails 3 "only pictures of the same kind" compare three.pfm rgb.png
  check "compare linear: cut off: exit 3, names it" fails 3 "cut.pfm: damaged PFM" compare three.pfm cut.pfm
  check "compare linear: other sizes are different" compares 1 "The sizes differ" different \
    three.pfm large.pfm
  check "compare linear: unknown number lists the rows" \
    fails 2 "'flip'; known: rms, relmse" compare three.pfm four.pfm --fail-linear flip=1
  check "compare --block of PNGs: exit 2" fails 2 "--block is for linear" compare rgb.png off.png --block 3
}

linear_report() { "$ballotcast" compare three.pfm four.pfm --json >json 2>stderr; is_json json; }

case_linear_comparisons_are_reported() {
  linear_pictures
  check "compare linear: --json" linear_report
  check "compare linear: --json has the block" grep -q '"block": 0.25' json
  check "compare linear: pictures and a page" compares 1 "1 of 1" different three.pfm four.pfm \
    --diff ld.png --flip lf.png --html l.html
}
