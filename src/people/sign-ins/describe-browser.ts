/** The first match counts, because most user agents also name other browsers. */
const browsers: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];
const systems: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** A user agent in words for people: "Firefox on Linux". */
export function describeBrowser(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent ?? "");
  const system = nameIn(systems, userAgent ?? "");
  if (browser === null) return system === null ? "Unknown browser" : `A browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(known: readonly [name: string, pattern: RegExp][], userAgent: string): string | null {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
}
