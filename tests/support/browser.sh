# Functions for tests that open a page in a headless browser. Source this file after making all
# arguments absolute. It ends the test with exit code 77 (skipped) if Chromium is not installed.
# Otherwise it changes to a temporary folder, which is removed at the end.

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v "$name") && break
done
if [[ -z $browser ]]; then
  echo "there is no Chromium to open the page in (tools/install_dependencies --with-browser)"
  exit 77
fi
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/checks.sh"

# Opens page $1 with fragment $2 and browser options $3... . Stores the page, in its state when its
# script is done, in the file dom, and the browser's messages in the file errors.
open_page() {
  local page=$1 place=$2
  shift 2
  timeout --kill-after=5 90 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --window-size=1280,900 "$@" \
    --enable-logging=stderr --dump-dom "file://$work/$page#$place" >dom 2>errors
}

holds() { grep -qF -- "$1" dom; }
no_errors() { holds 'id="failure" role="alert" hidden=""' && ! grep -E 'CONSOLE.*(Uncaught|Error|Refused)' errors; }
