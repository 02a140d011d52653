/**
 * The value of a sample in metrics as Prometheus reads them; null if there is none.
 * @param labels all of them.
 */
export function sampleOf(text: string, name: string, labels: Record<string, string>): number | null {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  for (const line of text.split("\n")) {
    const [, found = "", inBraces = "", value = ""] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const isWanted = found === name && wanted.every((each) => inBraces.split(",").includes(each));
    if (isWanted && inBraces.split(",").filter(Boolean).length === wanted.length) return Number(value);
  }
  return null;
}
