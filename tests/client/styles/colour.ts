/** A colour: red, green and blue from 0 to 1, as a style sheet writes them. */
export type Colour = readonly [red: number, green: number, blue: number];

/** How people see colours: as most do, or without one of the three kinds of cones. */
export const sights = ["normal", "protan", "deutan", "tritan"] as const;
export type Sight = (typeof sights)[number];

type Matrix = readonly [Colour, Colour, Colour];

/**
 * Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at full
 * severity, for linear light.
 */
const machado: Record<Sight, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** From linear light to CIE XYZ. */
const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Colour = [0.95047, 1, 1.08883];

/** Reads "#0072b2" or "#fff". */
export function colourOf(hex: string): Colour {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex)?.[1];
  if (digits === undefined) throw new Error(`${hex} is not a colour that can be measured.`);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16) / 255;
  return [at(0), at(2), at(4)];
}

/** How far apart two colours are to someone (CIE76); about 2 is the least that people notice. */
export function distance(one: Colour, other: Colour, sight: Sight): number {
  const [a, b] = [labOf(seen(one, sight)), labOf(seen(other, sight))];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The contrast of two colours as in WCAG 2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Colour): number {
  return multiply(toXyz, linear(colour))[1];
}

/** What someone sees, in linear light. */
function seen(colour: Colour, sight: Sight): Colour {
  return map(multiply(machado[sight], linear(colour)), (part) => Math.min(1, Math.max(0, part)));
}

function linear(colour: Colour): Colour {
  return map(colour, (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

function labOf(light: Colour): Colour {
  const xyz = multiply(toXyz, light);
  const [x, y, z] = [curve(xyz[0] / WHITE[0]), curve(xyz[1] / WHITE[1]), curve(xyz[2] / WHITE[2])];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function curve(part: number): number {
  return part > 216 / 24_389 ? Math.cbrt(part) : (part * 24_389) / 27 / 116 + 16 / 116;
}

function multiply(matrix: Matrix, [x, y, z]: Colour): Colour {
  return map(matrix, ([a, b, c]) => a * x + b * y + c * z);
}

function map<Part>([a, b, c]: readonly [Part, Part, Part], change: (part: Part) => number): Colour {
  return [change(a), change(b), change(c)];
}
