import type { DataRouter, RouterContextProvider } from "react-router";
import { prefetchLinks } from "#client/base/api/prefetch-links.ts";
import { keepFocus } from "#client/base/browser/keep-focus.ts";
import { keepLength } from "#client/base/browser/keep-length.ts";
import { followShortcutKeys, SHORTCUT_KEYS } from "#client/base/browser/shortcut-keys.ts";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { withLate } from "#client/base/live/late-code.ts";
import {
  isSoundAndVibrationOn,
  SOUND_AND_VIBRATION_KEY,
} from "../sound-and-vibration/sound-and-vibration.ts";

/** What a page can do without until it is live. @param contextAhead for the loaders of pages that are prefetched. */
export function followOnceLive(router: DataRouter, contextAhead: RouterContextProvider): void {
  prefetchLinks(router, contextAhead);
  whenIdle(keepStyles);
  whenIdle(followDevice);
  keepLength();
  whenIdle(keepFocus);
}

/** Follows what is set for this device, in this tab and in others. The code of sounds is fetched where they are on. */
function followDevice(): void {
  followShortcutKeys();
  if (isSoundAndVibrationOn()) followSoundAndVibration();
  window.addEventListener("storage", ({ key }) => {
    if (key === SOUND_AND_VIBRATION_KEY) followSoundAndVibration();
    if (key === SHORTCUT_KEYS) followShortcutKeys();
  });
}

/** Starts or ends sounds and vibration, as they are set. */
function followSoundAndVibration(): void {
  withLate(
    () => import("../sound-and-vibration/play-cues.ts"),
    ({ switchCues }) => switchCues(isSoundAndVibrationOn()),
  );
}

/** A network that swallows the request must not keep a connection of the page. */
const WITHIN_MS = 15_000;

/** Fetches what the next page's first paint needs, for the browser to keep: the styles that came within this one, and the font. */
function keepStyles(): void {
  const sheets = [...document.querySelectorAll<HTMLElement>("style[data-keep]")];
  for (const address of new Set(sheets.flatMap(({ dataset: { keep = "" } }) => keep.split(" "))))
    // Without an answer the next page fetches it.
    fetchWhole(address).catch(() => undefined);
}

async function fetchWhole(url: string): Promise<void> {
  const answer = await fetch(url, { priority: "low", signal: AbortSignal.timeout(WITHIN_MS) });
  await answer.arrayBuffer();
}
