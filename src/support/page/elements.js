// Formats numbers and names, and creates the elements of a page.

/** 1234567 as "1,234,567". */
function grouped(number) { return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, ","); }

/** A number and its noun: "1 case", "1,000 cases". */
function plural(number, noun) { return grouped(number) + " " + noun + (number === 1 ? "" : "s"); }

/** A number with three significant digits: "0.0443", "6.14", "157", "14,572". */
function threeDigits(number) {
  if (number === 0 || !Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size >= 999.5) return (number < 0 ? "-" : "") + grouped(size);
  const decimals = Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(+size.toPrecision(3)))));
  return number.toFixed(decimals);
}

/** As threeDigits, without trailing zeros; for tick labels. */
function brief(number) {
  const text = threeDigits(number);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const kUnits = {
  mhz: "MHz",
  ms: "ms",
  us: "µs",
  bytes: "bytes",
  percent: "%",
  gib: "GiB"
};

/**
 * A key as a label: "block_size" as "block size", "clock_mhz" as "clock (MHz)", "nodes_per_ray" as
 * "nodes/ray".
 */
function labelOf(key) {
  const parts = key.replace("_per_", "/").split("_");
  const unit = parts.length > 1 ? kUnits[parts.at(-1)] : undefined;
  return unit ? parts.slice(0, -1).join(" ") + " (" + unit + ")" : parts.join(" ");
}

/** An HTML element with properties and children (text or elements). */
function html(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key.includes("-") || key === "role" || key === "for")
      element.setAttribute(key, value);
    else
      element[key] = value;
  element.append(...children);
  return element;
}
