# For tests that open a page in a headless browser. Source it after making all arguments absolute.
# It ends the test with exit code 77 (skipped) if Chromium is not installed. Otherwise it changes to
# a temporary folder, which is removed at the end, and provides the functions below.

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v "$name") && break
done
if [[ -z $browser ]]; then
  echo "there is no Chromium to open the page in (tools/install_dependencies --with-browser)"
  exit 77
fi
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/checks.sh"

# Opens page $1 at the part $2 of the address, with options $3... . Stores the page, as it is when
# its script is done, in the file dom, and the messages of the browser in the file errors.
open_page() {
  local page=$1 place=$2
  shift 2
  timeout --kill-after=5 90 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --window-size=1280,900 "$@" \
    --enable-logging=stderr --dump-dom "file://$work/$page#$place" >dom 2>errors
}

holds() { grep -qF -- "$1" dom; }
no_errors() { holds 'id="failure" role="alert" hidden=""' && ! grep -E 'CONSOLE.*(Uncaught|Error|Refused)' errors; }
