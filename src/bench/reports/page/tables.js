// The table with the numbers of an experiment, which can be sorted and filtered.

/**
 * The columns with a value in at least one row: {key, label, of: row -> value or null, text: value
 * -> text}.
 */
function columnsOf(experiment) {
  const columns = experiment.axes.map(
      key => ({
        key,
        label: labelOf(key),
        of: row => row.axes[key] ?? null,
        text: value => typeof value === "number" ? (Number.isInteger(value) ? grouped(value) : brief(value)) :
            value === ""                         ? "-" :
                                                   value
      }));
  const number = (key, label, of, text = threeDigits) => columns.push({key, label, of, text, number: true});
  columns.push({
    key: "verdict",
    label: "verdict",
    of: row => row.verdict,
    text: value => value === "wrong" ? "WRONG" : value
  });
  columns.push({key: "why", label: "why", of: row => row.why || null, text: value => value});
  number("median_ms", "time (ms)", row => row.timing?.median_ms ?? null);
  number(
      "spread", "spread (%)", row => row.timing ? row.timing.spread_relative * 100 : null,
      value => "±" + value.toFixed(1));
  number("least_ms", "least (ms)", row => row.timing?.least_ms ?? null);
  number("rate", experiment.items + "/s", row => row.timing ? row.items_per_s : null, prefixed);
  number("throughput", "GB/s", kMetrics.throughput.of);
  number("to_naive", "× naive", row => row.ratio_to_naive);
  number("over_none", "over none", row => row.overhead_of_none_relative, percent);
  number("atomics", "atomics", row => row.atomics, grouped);
  number("counter", "counter", row => row.counter, grouped);
  for (const key of new Set(experiment.rows.flatMap(row => Object.keys(row.found ?? {}))))
    columns.push({
      key: "found_" + key,
      label: labelOf(key),
      of: row => row.found?.[key] ?? null,
      text: value => typeof value !== "number" ? value : Number.isInteger(value) ? grouped(value) : threeDigits(value)
    });
  number("clock", "clock (MHz)", row => row.timing?.clock_mhz || null, grouped);
  number("runs", "runs", row => row.timing?.runs ?? null, grouped);
  const filled = columns.filter(column => experiment.rows.some(row => column.of(row) !== null));
  for (const column of filled)
    column.number ??= experiment.rows.every(row => typeof (column.of(row) ?? 0) === "number");
  return filled;
}

/** Compares values for sorting: numbers by size, texts alphabetically, missing values last. */
function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" && typeof b === "number" ?
      a - b :
      String(a).localeCompare(String(b), "en", {numeric: true});
}

/**
 * The table with its filter. Their state is part of the address: NAME.sort, NAME.filter, NAME.open.
 */
function tableElement(experiment) {
  const columns = columnsOf(experiment), name = experiment.name;
  const words = new Map(experiment.rows.map(row => [row, columns.map(column => {
                                              const value = column.of(row);
                                              return value === null ? "" : column.text(value);
                                            })]));
  const body = html("tbody"), count = html("span", {role: "status", className: "soft"});
  const heads = columns.map(column => {
    const button = html("button", {type: "button"}, column.label);
    button.addEventListener("click", () => {
      const sort = getState(name + ".sort");
      setState(
          name + ".sort",
          sort === column.key           ? "-" + column.key :
              sort === "-" + column.key ? "" :
                                          column.key);
      fill();
    });
    return html("th", {scope: "col", className: column.number ? "" : "text"}, button);
  });
  const filter = html("input", {
    type: "search",
    value: getState(name + ".filter"),
    placeholder: "e.g. naive memory",
    "aria-label": `Rows of ${name} that contain these words`
  });
  filter.addEventListener("input", () => {
    setState(name + ".filter", filter.value);
    fill();
  });

  function fill() {
    const sort = getState(name + ".sort"), down = sort.startsWith("-"), key = down ? sort.slice(1) : sort;
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(word => word !== "");
    const rows = experiment.rows.filter(row => {
      const text = words.get(row).join(" ").toLowerCase();
      return wanted.every(word => text.includes(word));
    });
    const column = columns.find(c => c.key === key);
    if (column)
      rows.sort((a, b) => {
        const [va, vb] = [column.of(a), column.of(b)];
        return va === null || vb === null ? compare(va, vb) : (down ? -1 : 1) * compare(va, vb);
      });
    columns.forEach(
        (c, i) => heads[i].setAttribute(
            "aria-sort",
            c !== column ? "none" :
                down     ? "descending" :
                           "ascending"));
    body.replaceChildren(
        ...rows.map(
            row =>
                html(
                    "tr", {className: row.verdict},
                    ...words.get(row).map(
                        (text, i) =>
                            html(
                                "td", {
                                  className: (columns[i].number ? "" : "text ") +
                                      (["why", "verdict"].includes(columns[i].key) ? columns[i].key : "")
                                },
                                text)))));
    count.textContent = `${grouped(rows.length)} of ${grouped(experiment.rows.length)} rows`;
  }

  const details = html(
      "details", {open: getState(name + ".open") !== ""},
      html("summary", {}, `Numbers: ${grouped(experiment.rows.length)} rows`),
      html("div", {className: "filter"}, html("label", {}, "Filter "), filter, count),
      html(
          "div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": `Numbers of ${name}`},
          html("table", {}, html("thead", {}, html("tr", {}, ...heads)), body)));
  details.querySelector("label").append(filter);
  details.addEventListener("toggle", () => setState(name + ".open", details.open ? "1" : ""));
  fill();
  return details;
}
