import type { Browser } from "playwright/test";
import { desk, phone } from "../players.ts";

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;
/** On what a player looks at a show. */
export type Screen = {
  name: string;
  options: Options;
  isZoomed?: boolean;
  /** The text size that its browser is set to, in pixels. */
  textPx?: number;
  withAxe?: boolean;
  /** Its page is loaded again in each state. */
  reloads?: boolean;
  /** The font never arrives, so that its fallback is shown. */
  withoutFont?: boolean;
};

/**
 * The players of one show look at it on different screens. Each day the two that differ most, and all with the proofs, where the page is
 * also loaded again in each state: each day it is loaded in one.
 */
export const dailyScreens: readonly Screen[] = [
  { name: "small phone", options: { viewport: { width: 320, height: 568 } }, withAxe: true },
  {
    name: "phone at a zoom of 200 %, forced colours, without the font",
    options: {
      viewport: { width: 195, height: 422 },
      deviceScaleFactor: 2,
      colorScheme: "dark",
      forcedColors: "active",
    },
    isZoomed: true,
    withoutFont: true,
  },
];
/** Further ones: each list is one show. */
export const allScreens: readonly (readonly Screen[])[] = [
  [
    {
      name: "small phone",
      options: { viewport: { width: 320, height: 568 } },
      withAxe: true,
      reloads: true,
    },
    {
      name: "desk, dark, high contrast",
      options: { viewport: desk, colorScheme: "dark", contrast: "more" },
      withAxe: true,
    },
    {
      name: "phone at a zoom of 200 %",
      options: { viewport: { width: 195, height: 422 }, deviceScaleFactor: 2 },
      isZoomed: true,
    },
  ],
  [
    {
      name: "phone, forced colours, without the font",
      options: { viewport: phone, colorScheme: "dark", forcedColors: "active" },
      withAxe: true,
      withoutFont: true,
    },
    {
      name: "low phone, dark",
      options: { viewport: { width: 360, height: 640 }, colorScheme: "dark" },
      withAxe: true,
    },
    { name: "desk, forced colours", options: { viewport: desk, forcedColors: "active" } },
  ],
  // Where the card is as long as its content, its rows move with it; what is pressed stays.
  [
    {
      name: "phone on its side",
      options: { viewport: { width: 844, height: 390 } },
      withAxe: true,
      reloads: true,
    },
    {
      name: "folded phone on its side, dark",
      options: { viewport: { width: 653, height: 280 }, colorScheme: "dark" },
      isZoomed: true,
      withAxe: true,
      reloads: true,
    },
    {
      name: "folded phone",
      options: { viewport: { width: 280, height: 653 } },
      withAxe: true,
      reloads: true,
    },
  ],
  [
    { name: "tablet", options: { viewport: { width: 768, height: 1_024 } }, withAxe: true, reloads: true },
    {
      name: "wall",
      options: { viewport: { width: 3_840, height: 2_160 } },
      withAxe: true,
      reloads: true,
    },
    {
      name: "phone with a text of 200 %",
      options: { viewport: phone },
      textPx: 32,
      isZoomed: true,
      withAxe: true,
      reloads: true,
    },
  ],
  [
    { name: "phone", options: { viewport: phone }, withAxe: true, reloads: true },
    {
      name: "large desk",
      options: { viewport: { width: 2_560, height: 1_440 } },
      withAxe: true,
      reloads: true,
    },
    { name: "tablet on its side", options: { viewport: { width: 1_024, height: 768 } }, withAxe: true },
    {
      name: "laptop, dark",
      options: { viewport: { width: 1_366, height: 768 }, colorScheme: "dark" },
      withAxe: true,
    },
  ],
];
