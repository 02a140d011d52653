import { notFound } from "#src/base/refusal.ts";
import { idIn } from "#src/http/check-input.ts";
import { notModified } from "#src/http/finish-answer.ts";
import { FACES_COUNT } from "../avatars/contract.ts";

/** A day: a face keeps its address when its drawing changes. */
const CACHE_CONTROL = "public, max-age=86400";

// Decision: a face is drawn from a few parts and served as a file with a fixed address, which stands in the place of a picture's
// addresses. So everything that shows avatars shows faces, and a face costs no storage, no job and no signature.

const INK = "#14171a";
const WHITE = "#fff";

const heads = {
  round: '<circle cx="50" cy="55" r="31"/>',
  square: '<rect x="21" y="26" width="58" height="58" rx="17"/>',
  egg: '<ellipse cx="50" cy="54" rx="27" ry="34"/>',
  drop: '<path d="M50 15C70 32 81 44 81 57A31 31 0 0 1 19 57C19 44 30 32 50 15Z"/>',
  cut: '<path d="M34 24H66L83 41V69L66 86H34L17 69V41Z"/>',
  mark: '<path d="M48 24A31 31 0 0 0 48 86L84 55Z"/>',
} as const;

/** Behind the head, in its colour. */
const backs = {
  none: "",
  cat: '<path d="M23 46V14L47 32ZM77 46V14L53 32Z"/>',
  bear: '<circle cx="25" cy="30" r="13"/><circle cx="75" cy="30" r="13"/>',
  hare: '<ellipse cx="38" cy="22" rx="9" ry="21"/><ellipse cx="62" cy="22" rx="9" ry="21"/>',
  spikes: '<path d="M20 44L24 18L36 30L43 10L52 27L64 11L68 30L79 19L80 44Z"/>',
  horns: '<path d="M28 38C16 34 14 22 18 12C24 22 34 24 42 28ZM72 38C84 34 86 22 82 12C76 22 66 24 58 28Z"/>',
} as const;

const eyes = {
  dots: `<circle cx="38" cy="51" r="5"/><circle cx="62" cy="51" r="5"/>`,
  wide: `<g fill="${WHITE}"><circle cx="37" cy="50" r="10"/><circle cx="63" cy="50" r="10"/></g><circle cx="39" cy="51" r="5"/><circle cx="61" cy="51" r="5"/>`,
  wink: `<circle cx="38" cy="51" r="5"/><path class="l" d="M55 52Q62 46 69 52"/>`,
  happy: `<path class="l" d="M31 53Q38 44 45 53M55 53Q62 44 69 53"/>`,
  glasses: `<g class="l"><circle cx="37" cy="51" r="11"/><circle cx="63" cy="51" r="11"/><path d="M48 50H52"/></g><circle cx="37" cy="51" r="4"/><circle cx="63" cy="51" r="4"/>`,
  shades: `<path d="M24 44H76V50C76 60 56 62 53 50H47C44 62 24 60 24 50Z"/>`,
  sleepy: `<path class="l" d="M31 51H45M55 51H69"/>`,
  one: `<circle cx="50" cy="48" r="14" fill="${WHITE}"/><circle cx="52" cy="49" r="7"/>`,
} as const;

const mouths = {
  smile: `<path class="l" d="M38 67Q50 78 62 67"/>`,
  open: `<path d="M37 65H63A13 13 0 0 1 37 65Z"/>`,
  grin: `<path d="M34 64H66V68A16 9 0 0 1 34 68Z" fill="${WHITE}" stroke="${INK}" stroke-width="4"/>`,
  oh: `<ellipse cx="50" cy="70" rx="6" ry="8"/>`,
  flat: `<path class="l" d="M40 70H60"/>`,
  smirk: `<path class="l" d="M40 71Q54 74 62 65"/>`,
} as const;

export function showFace(number: string, request: Request): Response {
  const drawing = drawFace(idIn(number) ?? 0);
  if (drawing === null) throw notFound();
  const headers = new Headers({
    "content-type": "image/svg+xml",
    "cache-control": CACHE_CONTROL,
    etag: `"${Bun.hash(drawing).toString(36)}"`,
  });
  return notModified(request, headers) ?? new Response(drawing, { headers });
}

type Parts = [
  ground: string,
  head: string,
  shape: keyof typeof heads,
  back: keyof typeof backs,
  eyes: keyof typeof eyes,
  mouth: keyof typeof mouths,
];

const faces: readonly Parts[] = [
  ["#0072b3", "#ffd166", "round", "none", "dots", "smile"],
  ["#b34700", "#9ad1f5", "square", "none", "wide", "open"],
  ["#14171a", "#e6f53a", "mark", "none", "wink", "smile"],
  ["#5b3a8e", "#ffb3c7", "round", "cat", "happy", "smirk"],
  ["#0a6b5b", "#f2c9a0", "round", "bear", "dots", "oh"],
  ["#8a1538", "#f4f5f2", "egg", "hare", "dots", "smile"],
  ["#2b4a9b", "#7fe0b0", "drop", "none", "one", "open"],
  ["#7a5200", "#ffd9b8", "egg", "spikes", "shades", "smirk"],
  ["#1f6f3a", "#ff9b85", "cut", "none", "glasses", "flat"],
  ["#4a4f57", "#c9b6ff", "square", "horns", "wide", "grin"],
  ["#a5132b", "#8fd6e8", "cut", "cat", "sleepy", "flat"],
  ["#0d5c75", "#ffe08a", "drop", "none", "happy", "open"],
  ["#3d2b79", "#b6f09c", "mark", "none", "wide", "grin"],
  ["#93370d", "#f7e6c4", "square", "bear", "glasses", "smile"],
  ["#14532d", "#f5b8e2", "round", "spikes", "wide", "oh"],
  ["#1e3a5f", "#ffa94d", "round", "horns", "wink", "grin"],
  ["#6b1d5e", "#a8e6ff", "egg", "none", "glasses", "open"],
  ["#304016", "#ffe9f0", "drop", "hare", "happy", "smile"],
  ["#5a3010", "#9be0d0", "cut", "bear", "wide", "smirk"],
  ["#123c3a", "#ffc2a8", "square", "cat", "shades", "grin"],
  ["#7c1f1f", "#d4e157", "egg", "horns", "one", "smile"],
  ["#25303b", "#ffbf69", "mark", "none", "shades", "smirk"],
  ["#433a8f", "#ffdf6b", "cut", "spikes", "happy", "open"],
  ["#006064", "#ffab91", "square", "none", "sleepy", "oh"],
];

/** A drawn face as SVG. @param face from 1. Null where there is none of this number. */
function drawFace(face: number): string | null {
  const parts = faces[face - 1];
  if (parts === undefined || face > FACES_COUNT) return null;
  const [ground, head, shape, back, eyesName, mouth] = parts;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="96" height="96">`,
    `<path fill="${ground}" d="M0 0H100V100H0Z"/>`,
    `<g fill="${head}" stroke="${head}" stroke-width="4" stroke-linejoin="round">${backs[back]}${heads[shape]}</g>`,
    `<g fill="${INK}">${eyes[eyesName]}${mouths[mouth]}</g></svg>`,
  ]
    .join("")
    .replaceAll('class="l"', `fill="none" stroke="${INK}" stroke-width="5" stroke-linecap="round"`);
}
