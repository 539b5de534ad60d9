#!/usr/bin/env bash
# Opens pages of the HTML report in a headless browser. Charts must be drawn, tables must sort and
# filter, points in charts must show their values on demand, no script may fail, and nothing may be
# wider than a phone's screen.
# Usage: report_page_test.sh MAKE_REPORT     exit code 77: skipped, because Chromium is not
# installed
set -u

make_report=$(realpath "$1")
# shellcheck source=tests/support/browser.sh
source "$(dirname "$(realpath "$0")")/../support/browser.sh"

# Opens page $1 with fragment $2, in a window $3 pixels wide. Writes its elements to the file dom,
# one per line.
dump() {
  open_page "$1" "$2" --window-size="$3,900" --virtual-time-budget=8000
  sed -i 's/<\(section\|tr\|svg\)/\n<\1/g' dom
}

plots_of() { awk -v section="<section id=\"e-$1\"" '/^<section/ { inside = index($0, section) == 1 } inside && /^<svg class="plot"/ { ++n } END { print n + 0 }' dom; }
lacks() { ! holds "$1"; }
at_least() { [[ $(grep -oF -- "$2" dom | wc -l) -ge $1 ]]; }
# Prints the cells of column $2 (from 1) in the table of experiment $1.
column() {
  awk -v section="<section id=\"e-$1\"" -v column="$2" '
    /^<section/ { inside = index($0, section) == 1 }
    inside && /^<tr class/ { split($0, cells, "<td[^>]*>"); sub(/<.*/, "", cells[column + 1]); print cells[column + 1] }' dom
}
probed() { grep -qF -- "$1" <(sed -n 's/.*<pre id="probe">\([^<]*\).*/\1/p' dom) || { grep -F '<pre id="probe"' dom | cut -c 1-300; false; }; }

"$make_report" html gpu gpu.html && "$make_report" html emulated emulated.html &&
  "$make_report" json gpu gpu.json || exit 2

dump gpu.html "synthetic.open=1&synthetic.sort=-median_ms&synthetic.filter=naive+memory" 1280
if [[ ! -s dom ]]; then
  echo "the browser gave no page:"
  tail -5 errors
  exit 1
fi
check "no script fails" no_errors
check "the charts are drawn" at_least 30 '<svg class="plot"'
check "with marks" at_least 400 'class="mark"'
check "noise and floor are marked" at_least 10 'class="noise"'
check "the warp size is marked" holds '>warp size 32</text>'
check "what is wrong is said first" holds '1 measurement WRONG'
check "and in its experiment" holds '✗ WRONG: synthetic (strategy block-flag'
check "what was skipped is said" holds '– 1 measurement skipped (pipeline passes, '
check "markup in notes is text" holds '&lt;i&gt;markup&lt;/i&gt;'
check "the filter leaves the rows that hold its words" \
  test "$(column synthetic 2 | sort -u)" = memory -a "$(column synthetic 1 | sort -u)" = naive
times=$(column synthetic 9)
check "rows are sorted" test -n "$times" -a "$times" = "$(sort -rg <<<"$times")"
check "the sorted column says so" holds 'aria-sort="descending"'

all_charts=synthetic.more=1\&slots.more=1\&casting.more=1
check "an experiment of many charts shows two of them at first" holds '<summary>3 more charts</summary>'
check "and not the others" lacks '<details class="more" open'
dump gpu.html "$all_charts" 1280
check "but all of them when they are asked for" holds '<details class="more" open'
check "marks have whiskers" at_least 400 'class="whisker"'
check "that are as long as the samples spread" at_least 1 'class="whisker" data-series="'
check "placements are drawn" holds 'Count in the loop, or once behind it'
check "votes, shuffles and reductions too" test "$(plots_of votes)" = 3 -a "$(plots_of shuffles)" = 4 -a \
  "$(plots_of reductions)" = 1
check "the noise is said" holds 'Noise: spread of the samples ±0.2'

dump emulated.html "$all_charts" 1280
check "no script fails without times" no_errors
check "charts of atomics are drawn" at_least 10 'atomics issued</text>'
check "panels that are equal are one" holds '>The same for each work</figcaption>'
check "and so are curves" holds '</svg>block-flag = block-vote = block-count = warp-slots</button>'
check "so that few are left" test "$(plots_of synthetic)" = 6
check "times are not shown" lacks 'time (ms)<'
check "nor ratios of times" lacks '(×)<'
check "and that is said" holds 'times mean nothing here and are not shown'

# Results of two scenes, one a little faster than the other, and of which one row is unsteady.
cat >rays.json <<'END'
{"format": "ballotcast benchmark", "format_version": 1, "title": "Rays", "facts": {}, "notes": [],
 "noise_relative": 0.01, "experiments": [{"name": "rays", "title": "Rays", "text": "", "items": "rays", "about_rate": true}],
 "rows": [
END
row() {  # row SCENE WORKLOAD BUILDER MS SPREAD
  printf '{"experiment": "rays", "axes": {"scene": "%s", "workload": "%s", "builder": "%s", "layout": "grid2", "pipeline": "-"},
    "verdict": "right", "why": "", "timing": {"median_ms": %s, "spread_relative": %s, "least_ms": 1, "runs": 11,
    "clock_mhz": 0, "throttled": false}, "items": 7000000}%s\n' "$1" "$2" "$3" "$4" "$5" "${6-,}"
}
{
  row a-scene-of-a-long-name primary sbvh 968 0.3; row a-scene-of-a-long-name ao sbvh 3000 0
  row b primary sbvh 979 0; row b ao sbvh 3000 0 ""
  echo ']}'
} >>rays.json
"$make_report" html rays.json rays.html
dump rays.html "" 1280
widths=$(grep -oE 'class="bar mark"[^>]* width="[0-9.]+"|class="mark"[^>]*' dom | sed -n 's/.* width="//p' | tr -d '"')
check "no script fails on rates" no_errors
check "panels share a scale" test "$(grep -c . <<<"$widths")" = 4 -a \
  "$(awk 'NR == 1 { a = $1 } NR == 3 { print (a > $1 && a < $1 * 1.02) }' <<<"$widths")" = 1
check "what is unsteady has a whisker" test "$(grep -oE 'class="whisker" d="[^"]+"' dom | wc -l)" = 1

# Results of builds of two scenes, with rates of rays, and of another library without a layout.
cat >builds.json <<'END'
{"format": "ballotcast benchmark", "format_version": 1, "title": "Builds", "facts": {}, "notes": [],
 "noise_relative": 0.01, "experiments": [{"name": "builds", "title": "Builds", "text": "", "items": "triangles", "about_rate": true}],
 "rows": [
END
build_row() {  # build_row AXES BUILDER LAYOUT MS TIMING RATE [COMMA]
  printf '{"experiment": "builds", "axes": {%s, "builder": "%s", "layout": "%s"}, "verdict": "right", "why": "",
    "timing": %s, "items": 7000000, "found": {"sah": 40.5%s}}%s\n' "$1" "$2" "$3" "$4" "$5" "${6-,}"
}
timed='{"median_ms": 20, "spread_relative": 0, "least_ms": 1, "runs": 11, "clock_mhz": 0, "throttled": false}'
{
  cat builds.json
  for scene in atrium blob; do
    build_row "\"scene\": \"$scene\"" ploc grid2 "$timed" ', "mrays_per_s": 800.0'
    build_row "\"scene\": \"$scene\"" embree/low - "$timed" ', "mrays_per_s": 900.0'
  done
  build_row '"scene": "blob"' sbvh grid2 "$timed" ', "mrays_per_s": 1000.0' ""
  echo ']}'
} >some.json
"$make_report" html some.json builds.html
dump builds.html "" 1280
check "no script fails on builds" no_errors
check "their rates are drawn by scene, and those of rays" test "$(plots_of builds)" = 4
check "with the peer" at_least 4 '>embree/low</text>'
check "rays have a unit of their own" at_least 2 'rate of rays through the tree (M rays/s)</text>'
dump builds.html "builds.metric=sah" 1280
check "what a chart is about stays when the reader chooses" at_least 2 'rate of rays through the tree (M rays/s)</text>'
check "in the others that is shown" at_least 2 'expected tests of a line</text>'
{
  cat builds.json
  for count in 1000 8000 64000; do build_row "\"scene\": \"land\", \"triangles\": $count" ploc grid2 null ""; done
  build_row '"scene": "land", "triangles": 1000' sbvh grid2 null "" ""
  echo ']}'
} >untimed.json
"$make_report" html untimed.json untimed.html
dump untimed.html "" 1280
check "no script fails on builds without times" no_errors
check "these have one chart, by size" test "$(plots_of builds)" = 1 -a -n "$(grep -F 'Builders by size' dom)"

sed -n '1,/"rows": \[/p' gpu.json | sed '$s/$/]}/' >empty.json
"$make_report" html empty.json empty.html
dump empty.html "" 1280
check "no script fails without rows" no_errors

# Imitates a reader's actions, by a script at the end of the page.
sed '/<\/body>/d; /<\/html>/d' gpu.html >probed.html
cat >>probed.html <<'END'
<script>
document.documentElement.style.width = "360px";  // windows are never narrower than 500
setTimeout(() => {
  const said = [], section = document.getElementById("e-synthetic");
  const rows = () => section.querySelectorAll("tbody tr").length;
  const key = name => plot.dispatchEvent(new KeyboardEvent("keydown", {key: name}));
  const wide = [...document.body.querySelectorAll("*")].filter(element => !element.closest(".scroll, .skip, #tip, script") &&
    element.getBoundingClientRect().right > 360.5).map(element => element.tagName + "." + element.className + " " + element.textContent.slice(0, 20));
  said.push("phone " + innerWidth + " wider: " + (wide.slice(0, 3).join(", ") || "none"));
  const all = rows(), filter = section.querySelector("input");
  filter.value = "fma200";
  filter.dispatchEvent(new Event("input"));
  said.push("filtered " + (rows() > 0 && rows() < all), "kept " + location.hash.includes("synthetic.filter=fma200"));
  const head = section.querySelector("th button");
  head.click(); head.click();
  said.push("sort " + head.parentElement.getAttribute("aria-sort"));
  document.getElementById("theme").click(); document.getElementById("theme").click();
  said.push("theme " + document.documentElement.dataset.theme + " " + getComputedStyle(document.body).backgroundColor);
  const plot = section.querySelector("svg.plot");
  key("ArrowRight");
  said.push("tip " + !document.getElementById("tip").hidden + " " + document.getElementById("tip").textContent.slice(0, 5));
  key("Escape");
  said.push("hidden " + document.getElementById("tip").hidden);
  section.querySelector(".legend button").click();
  said.push("dim " + (section.querySelectorAll(".dim").length > 0));
  const select = section.querySelector("select");
  select.value = "rate";
  select.dispatchEvent(new Event("change"));
  said.push("rate " + section.textContent.includes("higher is better"));
  const pre = document.createElement("pre");
  pre.id = "probe";
  pre.textContent = said.join("; ");
  document.body.append(pre);
}, 1000);
</script>
</body>
</html>
END
dump probed.html "" 500
check "no script fails on a phone" no_errors
check "nothing is wider than a phone" probed 'wider: none'
check "the filter's words are kept in the address" probed 'filtered true; kept true'
check "heads sort both ways" probed 'sort descending'
check "the theme goes from the system's to light to dark" probed 'theme dark rgb(22, 24, 28)'
check "arrow keys tell marks" probed 'tip true naive'
check "and Escape stops that" probed 'hidden true'
check "a legend's name brings its series forward" probed 'dim true'
check "the reader chooses what charts show" probed 'rate true'

finish
