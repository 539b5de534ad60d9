// Numbers and names in words.

/** 1234567 as "1,234,567". */
function grouped(number) { return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, ","); }

/** Three digits: "0.0443", "6.14", "157", "14,572". */
function threeDigits(number) {
  if (number === 0 || !Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size >= 999.5) return (number < 0 ? "-" : "") + grouped(size);
  const decimals = Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(+size.toPrecision(3)))));
  return number.toFixed(decimals);
}

/** As threeDigits, without zeros at the end: ticks. */
function brief(number) {
  const text = threeDigits(number);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** 12.3 G for 12300000000. */
function prefixed(number) {
  for (const [factor, prefix] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (Math.abs(number) >= factor * 0.9995) return brief(number / factor) + prefix;
  return brief(number);
}

/** A value of an axis, short: 16777216 as "16 Mi". */
function short(value) {
  if (typeof value !== "number") return value === "" ? "-" : String(value);
  if (Number.isInteger(value) && value >= 4096)
    for (const [factor, prefix] of [[2 ** 30, " Gi"], [2 ** 20, " Mi"], [2 ** 10, " Ki"]])
      if (value % factor === 0) return grouped(value / factor) + prefix;
  return Number.isInteger(value) ? (value >= 1e5 ? prefixed(value) : grouped(value)) : brief(value);
}

const kUnits = {
  mhz: "MHz",
  ms: "ms",
  us: "µs",
  bytes: "bytes",
  percent: "%",
  gib: "GiB"
};

/** "block_size" as "block size", "clock_mhz" as "clock (MHz)". */
function labelOf(key) {
  const parts = key.split("_");
  const unit = parts.length > 1 ? kUnits[parts.at(-1)] : undefined;
  return unit ? parts.slice(0, -1).join(" ") + " (" + unit + ")" : parts.join(" ");
}

/** A relative difference as "+12 %". */
function percent(share) {
  return (share > 0 ? "+" : "") +
      (Math.abs(share) < 0.1 ? (share * 100).toFixed(1) : threeDigits(share * 100)) + " %";
}
