# For tests that open a page in a browser which shows no window: to be sourced by them, after their
# arguments are absolute. Ends them with 77, skipped, where there is no Chromium; else they are in a
# folder of their own, which goes away, and count their failures.

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v "$name") && break
done
if [[ -z $browser ]]; then
  echo "there is no Chromium to open the page in (tools/install_dependencies --with-browser)"
  exit 77
fi
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/checks.sh"

# The page $1 at the address's part $2, with options $3..., as it stands when its script is done: in
# the file dom; what the browser said is in the file errors.
open_page() {
  local page=$1 place=$2
  shift 2
  timeout --kill-after=5 90 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --window-size=1280,900 "$@" \
    --enable-logging=stderr --dump-dom "file://$work/$page#$place" >dom 2>errors
}

holds() { grep -qF -- "$1" dom; }
no_errors() { holds 'id="failure" role="alert" hidden=""' && ! grep -E 'CONSOLE.*(Uncaught|Error|Refused)' errors; }
