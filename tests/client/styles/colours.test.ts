import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { colourOf, contrast, distance, sights, type Colour } from "./colour.ts";

const STYLES = path.join(import.meta.dir, "../../../client/styles");
/** The looks of the product. High contrast is light or dark, as the system is. */
const looks = ["light", "dark", "light, high contrast", "dark, high contrast"] as const;
type Look = (typeof looks)[number];

/** The colours of one look, by the names of their tokens without the dashes. */
type Tokens = (name: string) => Colour;

/** Reads the colours that the product ships from its style sheets. */
function tokensOf(look: Look): Tokens {
  const files = look.endsWith("contrast") ? ["tokens.css", "contrast/high-contrast.css"] : ["tokens.css"];
  const values = new Map(files.flatMap(readValues));
  const read = (name: string): Colour => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`There is no token --${name}.`);
    const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    if (reference !== undefined) return read(reference);
    const both = /^light-dark\((\S+), (\S+)\)$/.exec(value);
    return colourOf((look.startsWith("light") ? both?.[1] : both?.[2]) ?? value);
  };
  return read;
}

/** The custom properties that a file gives the document. */
function readValues(file: string): [string, string][] {
  const css = readFileSync(path.join(STYLES, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const rule = /:root \{([^}]*)\}/.exec(css)?.[1] ?? "";
  return [...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
    name,
    value.trim(),
  ]);
}

/**
 * What the colours of the two sides are apart at least. Decision of 2026-11-24: no other pair is held to it, because only the sides
 * are told apart at a glance; whatever else has a colour (won and lost, ok, warn and bad, what is yours) has a word or a shape of
 * its own, and is one of a kind where it stands.
 */
const APART = 85;
/** What WCAG 2 asks of text, and of what is no text. */
const TEXT = 4.5;
const SHAPE = 3;

/** Colours that only differ by the side. Each carries its shape and its word as well. */
const sidePairs = [
  ["true", "false"],
  ["true-text", "false-text"],
] as const;

/** A text and what it is written on. */
const texts = [
  ...["ink", "ink-2", "ink-3"].flatMap((ink) =>
    ["bg", "surface", "surface-2"].map((ground) => [ink, ground] as const),
  ),
  ["ink", "surface-3"],
  ["ink-2", "surface-3"],
  ["on-inverse", "inverse"],
  ["on-you", "you"],
  ["on-you-2", "you"],
  ["ink", "you-tint"],
  ["on-true", "true"],
  ["on-false", "false"],
  ["true-text", "true-tint"],
  ["false-text", "false-tint"],
  ...["ok", "warn", "bad"].flatMap((voice) => [
    [voice, `${voice}-tint`] as const,
    [voice, "bg"] as const,
    [voice, "surface"] as const,
  ]),
] as const;

/** A shape or an edge that must be seen, and what it is on. */
const shapes = [
  ["true", "bg"],
  ["true", "surface"],
  ["false", "bg"],
  ["false", "surface"],
  ["line-strong", "bg"],
  ["line-strong", "surface"],
  ["ink", "bg"],
  ["focus-halo", "bg"],
  ["focus-halo", "surface"],
] as const;

for (const look of looks) {
  const colour = tokensOf(look);

  test(`with every kind of sight the colours of the sides are far apart: ${look}`, () => {
    const near = sidePairs.flatMap(([one, other]) =>
      sights
        .map((sight) => ({ one, other, sight, apart: distance(colour(one), colour(other), sight) }))
        .filter(({ apart }) => apart < APART),
    );
    expect(near).toEqual([]);
  });

  test(`the highlighter is not taken for a side, whose ground it is never: ${look}`, () => {
    const apart = ["true", "false"].flatMap((side) =>
      sights.map((sight) => distance(colour("you"), colour(side), sight)),
    );
    // It always comes with the mark or with words.
    expect(Math.min(...apart)).toBeGreaterThan(30);
  });

  test(`all texts can be read, and all shapes can be seen: ${look}`, () => {
    const weak = [
      ...texts.map((pair) => ({ pair, least: TEXT })),
      ...shapes.map((pair) => ({ pair, least: SHAPE })),
    ]
      .map(({ pair: [one, other], least }) => ({
        one,
        other,
        least,
        is: contrast(colour(one), colour(other)),
      }))
      .filter(({ is, least }) => is < least);
    expect(weak).toEqual([]);
  });
}
