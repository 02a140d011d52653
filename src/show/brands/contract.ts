export const SPONSOR_LENGTH_MAX = 80;
/** A logo fits into so many pixels. */
export const LOGO_SIZE = { width: 640, height: 256 } as const;

export const logoPath = (key: string) => `/api/v1/logos/${key}`;
export const logoKeyIn = (path: string) => path.slice(logoPath("").length);

/** An accent as it is stored: "#0072b3". */
export const accentFormat = /^#[0-9a-f]{6}$/;

// Decision: an accent is one colour in both themes, a ground for text and a shape beside other grounds. As a ground it holds 4.5:1 with
// the text on it, white or ink; as a shape the 3:1 that shapes need, beside the grounds of both themes. No colour could hold 4.5:1
// beside both: white and black are 21:1 apart, and these grounds less than 4.5 x 4.5.
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
/** What text on an accent has, the first that holds. */
const inks = ["#ffffff", "#14171a"] as const;
/** `--bg` and `--surface` of both themes (client/styles/tokens.css). */
export const accentGrounds = ["#eaece8", "#ffffff", "#0d0f11", "#181b1f"] as const;

/** The contrast of two colours by WCAG, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour of text on an accent. */
export function inkOn(accent: string): string {
  const [white, ink] = inks;
  return contrastOf(accent, white) >= TEXT_CONTRAST ? white : ink;
}

export function isAccent(color: string): boolean {
  if (!accentFormat.test(color)) return false;
  return (
    contrastOf(color, inkOn(color)) >= TEXT_CONTRAST &&
    accentGrounds.every((ground) => contrastOf(color, ground) >= SHAPE_CONTRAST)
  );
}

/** The smallest step of lightness that can be seen. */
const LIGHTNESS_STEP = 0.004;

/** The accent that is nearest to a colour: of the same hue, and so much lighter or darker that it holds. @param color "#rrggbb" */
export function nearestAccent(color: string): string {
  const [lightness, a, b] = toOklab(color);
  for (let distance = 0; distance <= 1; distance += LIGHTNESS_STEP)
    for (const light of [lightness + distance, lightness - distance]) {
      const candidate = fromOklab(light, a, b);
      if (isAccent(candidate)) return candidate;
    }
  throw new Error("every hue has a colour between the two themes");
}

function channelsOf(color: string): [number, number, number] {
  const at = (from: number) => linear(Number.parseInt(color.slice(from, from + 2), 16) / 255);
  return [at(1), at(3), at(5)];
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const gamma = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Oklab (https://bottosson.github.io/posts/oklab/), because in it a colour keeps its hue when only its lightness changes.

function toOklab(color: string): [lightness: number, a: number, b: number] {
  const [red, green, blue] = channelsOf(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The colour on a screen, with less of its hue where a screen has not so much at this lightness. */
function fromOklab(lightness: number, a: number, b: number): string {
  for (let share = 1; share > 0; share -= 0.02) {
    const parts = toLinear(lightness, a * share, b * share);
    if (parts.every((part) => part >= -0.0001 && part <= 1.0001)) return hexOf(parts);
  }
  return hexOf(toLinear(lightness, 0, 0));
}

function toLinear(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function hexOf(parts: readonly number[]): string {
  const bytes = parts.map((part) => Math.round(gamma(Math.min(1, Math.max(0, part))) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
