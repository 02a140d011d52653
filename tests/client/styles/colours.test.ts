import { expect, test } from "bun:test";
import { contrast, distance, sights } from "./colour.ts";
import { looks, tokensOf } from "./tokens.ts";

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
