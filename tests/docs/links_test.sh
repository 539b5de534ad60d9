#!/usr/bin/env bash
# Checks the documentation. Each relative link must lead to an existing file and heading. Each
# command must use subcommands and options that --help lists. Help texts must name only pages that
# are installed. No line is longer than 120 columns, except in tables and links.
#   links_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT
set -u

ballotcast=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

# Lists the pages of the tree $1, as paths relative to it.
pages_of() {
  (cd "$1" && find README.md CONTRIBUTING.md CHANGELOG.md scenes/README.md docs -name '*.md' 2>/dev/null | sort)
}

# Lists the relative links in page $2 of the tree $1, as lines "FILE<tab>LINE<tab>TARGET".
links_of() {
  awk -v file="$2" '
    /^ *```/ { fenced = !fenced; next }
    fenced { next }
    {
      text = $0
      gsub(/`[^`]*`/, "", text)
      while (match(text, /\]\([^)]*\)/)) {
        target = substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
        if (target !~ /^[a-z]+:/) print file "\t" FNR "\t" target
      }
    }' "$1/$2"
}

# Lists the anchors of a page's headings, in the form that GitHub gives them.
anchors_of() {
  awk '
    /^ *```/ { fenced = !fenced; next }
    !fenced && /^#+ / {
      text = tolower($0)
      sub(/^#+ +/, "", text)
      gsub(/[^a-z0-9 _-]/, "", text)
      gsub(/ /, "-", text)
      seen = count[text]++
      print seen ? text "-" seen : text
    }' "$1"
}

# Prints the broken links of the tree $1. Fails if there are any.
links_lead_somewhere() {
  local tree=$1 bad=0 page file line target path anchor
  for page in $(pages_of "$tree"); do
    while IFS=$'\t' read -r file line target; do
      path=${target%%#*}
      anchor=""
      [[ $target == *#* ]] && anchor=${target#*#}
      if [[ -z $path ]]; then path=$tree/$page; else path=$tree/$(dirname "$page")/$path; fi
      if [[ ! -e $path ]]; then
        echo "$file:$line: no such file: $target"
        bad=1
      elif [[ -n $anchor ]] && ! anchors_of "$path" | grep -qxF -- "$anchor"; then
        echo "$file:$line: no such heading: $target"
        bad=1
      fi
    done < <(links_of "$tree" "$page")
  done >stderr
  ((bad == 0))
}

# Lists the commands in page $2 of the tree $1, as lines "FILE:LINE<tab>SUBCOMMAND<tab>OPTIONS".
# Commands are in code blocks, where a backslash continues a line, and in `code` that begins with
# the program's name. tools/render means `ballotcast render`.
commands_of() {
  awk -v file="$2" '
    function note(command, line,   words, n, i, name, options) {
      sub(/ #.*/, "", command)
      sub(/[|>;].*/, "", command)
      n = split(command, words, /[ \t]+/)
      i = 1
      name = words[i++]
      if (words[1] == "bench" && i <= n && words[i] !~ /^-/) name = name " " words[i++]
      options = ""
      for (; i <= n; ++i)
        if (words[i] ~ /^--?[a-z]/) {
          sub(/[=,.)`].*/, "", words[i])
          options = options " " words[i]
        }
      print file ":" line "\t" name "\t" options
    }
    function look(text, line) {
      gsub(/tools\/render /, "ballotcast render ", text)
      while (match(text, /(^|[^A-Za-z0-9_\/.:"-]|build\/|build-cpu\/)ballotcast [a-z-][^`]*/)) {
        command = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/^.*ballotcast /, "", command)
        note(command, line)
      }
    }
    /^ *```/ { fenced = !fenced; python = /```python/; next }
    fenced && python { next }
    fenced {
      if (!held) { first = FNR; whole = "" }
      whole = whole $0
      held = sub(/\\$/, "", whole)
      if (!held) look(whole, first)
      next
    }
    {
      # Inline code may continue on the next line.
      text = text " " $0
      if (gsub(/`/, "`", text) % 2 == 1) next
      while (match(text, /`[^`]*`/)) {
        code = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        if (code ~ /^(build\/)?ballotcast [a-z-]|^tools\/render /) look(code, FNR)
      }
      text = ""
    }' "$1/$2"
}

# Lists the options in --help of a subcommand, one per line.
options_of() {
  local key=${1// /_}
  if [[ ! -e help-$key ]]; then
    # shellcheck disable=SC2086  # "bench rays" is two words
    "$ballotcast" $1 --help | grep -oE '^  (-[a-z], )?--[a-z-]+|^  -[a-z]' | tr -d , | tr ' ' '\n' |
      grep . >"help-$key"
  fi
  cat "help-$key"
}

# Prints the commands of the tree $1 that the program does not know. Fails if there are any.
commands_are_known() {
  local tree=$1 bad=0 page place name options option
  local known
  known=" $("$ballotcast" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\( [a-z]\+\)\?\)  .*/\1/p' | tr '\n' ';') bench; "
  for page in $(pages_of "$tree"); do
    while IFS=$'\t' read -r place name options; do
      case $name in
        --help | --version | COMMAND | SUBCOMMAND) continue ;;
      esac
      if [[ $known != *[\ \;]"$name;"* && $known != *" $name; "* ]]; then
        echo "$place: no such subcommand: ballotcast $name"
        bad=1
        continue
      fi
      for option in $options; do
        [[ $option == --help ]] && continue
        if ! options_of "$name" | grep -qxF -- "$option"; then
          echo "$place: ballotcast $name has no option $option"
          bad=1
        fi
      done
    done < <(commands_of "$tree" "$page")
  done >stderr
  ((bad == 0))
}

shows_commands() { (($(for page in $(pages_of "$root"); do commands_of "$root" "$page"; done | wc -l) > 40)); }

# Checks that help texts name only installed files: pages, by their path in share/doc/ballotcast.
help_names_installed_pages() {
  local name page
  for name in "" render explain info pack compare regress accept history verify bench "bench rays" "bench builds" "bench atomics" \
    "bench primitives" "bench report"; do
    # shellcheck disable=SC2086
    "$ballotcast" $name --help
  done | tr '\n' ' ' | tr -s ' ' >all-help
  grep -o 'README[^ ]*' all-help >stderr && return 1
  grep -oE '[A-Za-z/._-]+\.md' all-help | sort -u >pages
  [[ -s pages ]] || { echo "no page is named" >stderr; return 1; }
  while read -r page; do
    [[ -e $root/${page#share/doc/ballotcast/} && $page == share/doc/ballotcast/* ]] && continue
    echo "--help names $page, which isn't installed" >stderr
    return 1
  done <pages
}

# Prints the lines that are too long in the pages of the tree $1. Fails if there are any. Skips
# notes of measurements (docs/results).
lines_are_short() {
  local page bad=0
  for page in $(pages_of "$1" | grep -v '^docs/results/'); do
    awk -v file="$page" 'length > 120 && !/^ *\|/ && !/\]\(/ { print file ":" FNR ": " length " columns"; bad = 1 } END { exit bad }' \
      "$1/$page" || bad=1
  done >stderr
  ((bad == 0))
}

# Prints paths in `code` of the pages of the tree $1 that do not exist; NAME in a path matches any
# name. Fails if there are any. Skips the history and notes of measurements, which name files that
# existed then.
paths_exist() {
  local tree=$1 bad=0 page place path
  for page in $(pages_of "$tree" | grep -vE '^docs/(history|results)/'); do
    while IFS=: read -r place path; do
      path=${path//\`/}
      [[ $path == *NAME* || -e $tree/$path ]] && continue
      echo "$page:$place: no such file: $path"
      bad=1
    done < <(grep -onE '`(src|kernels|include|python|tests|tools|examples)/[A-Za-z0-9_./-]+`' "$tree/$page")
  done >stderr
  ((bad == 0))
}

check "every link leads to a file and a heading" links_lead_somewhere "$root"
check "commands are found in the documentation" shows_commands
check "every command uses what --help knows" commands_are_known "$root"
check "help names installed pages alone" help_names_installed_pages
check "no line is too long" lines_are_short "$root"
# An installation has the pages but not the sources.
[[ ! -d $root/src ]] || check "paths in code lead to files" paths_exist "$root"

# ---- Tests that the checks can fail --------------------------------------------------------------
# said WORDS COMMAND...: expects the command to fail and to print WORDS.
said() {
  local words=$1
  shift
  ! "$@" && grep -qF -- "$words" stderr
}
mkdir -p tree/docs
printf '# A page\n\n## One answer: here\n' >tree/docs/a.md
page() { printf '%s\n' "$@" >tree/README.md; }

page '[a](docs/a.md) [b](docs/a.md#one-answer-here) [c](https://example.org/x.md) `[d](x.md)`'
check "good links are let through" links_lead_somewhere tree
page 'text' '[b](docs/b.md)'
check "a link to no file is noticed" said "README.md:2: no such file: docs/b.md" links_lead_somewhere tree
page '[b](docs/a.md#two)'
check "a link to no heading is noticed" said "no such heading: docs/a.md#two" links_lead_somewhere tree
page "$(printf '%121s' | tr ' ' x)"
check "a long line is noticed" said "README.md:1: 121 columns" lines_are_short tree
page 'In `src/NAME.hpp`, `docs/a.md` and `tools/gone`.'
check "a path to no file is noticed" said "README.md:1: no such file: tools/gone" paths_exist tree
page "| $(printf '%121s' | tr ' ' x) |" "$(printf '%121s' | tr ' ' x) [a](docs/a.md)" "$(printf '%120s' | tr ' ' x)"
check "tables and links may be long" lines_are_short tree
page '```sh' 'ballotcast render x.obj -o x.png --size 3x3  # --nothing' '```'
check "good options are let through" commands_are_known tree
page '```sh' 'build/ballotcast render x.obj \' '  --sise 3x3' '```'
check "an option that doesn't exist is noticed" \
  said "README.md:2: ballotcast render has no option --sise" commands_are_known tree
page 'Say `ballotcast bench rays --spp=3`.'
check "an option of another subcommand is noticed" \
  said "ballotcast bench rays has no option --spp" commands_are_known tree
page '```' 'ballotcast draw x.obj' '```'
check "a subcommand that doesn't exist is noticed" said "no such subcommand: ballotcast draw" commands_are_known tree
finish
