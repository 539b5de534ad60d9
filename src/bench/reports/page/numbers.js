// Formats the numbers of a benchmark.

/** A number with an SI prefix: 12.3 G for 12300000000. */
function prefixed(number) {
  for (const [factor, prefix] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (Math.abs(number) >= factor * 0.9995) return brief(number / factor) + prefix;
  return brief(number);
}

/** A short form of an axis value: 16777216 as "16 Mi". */
function short(value) {
  if (typeof value !== "number") return value === "" ? "-" : String(value);
  if (Number.isInteger(value) && value >= 4096)
    for (const [factor, prefix] of [[2 ** 30, " Gi"], [2 ** 20, " Mi"], [2 ** 10, " Ki"]])
      if (value % factor === 0) return grouped(value / factor) + prefix;
  return Number.isInteger(value) ? (value >= 1e5 ? prefixed(value) : grouped(value)) : brief(value);
}

/** A relative difference: "+12 %". */
function percent(share) {
  return (share > 0 ? "+" : "") +
      (Math.abs(share) < 0.1 ? (share * 100).toFixed(1) : threeDigits(share * 100)) + " %";
}
