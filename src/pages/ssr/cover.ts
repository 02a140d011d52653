import { COVER_ID, COVER_LEFT_ID, COVER_OFF_ID } from "#client/base/delay/cover-parts.ts";
import { delayTexts } from "#client/base/delay/delay-texts.ts";
import { minutes } from "#client/base/format/countdown.ts";
import type { Deps } from "#src/base/deps.ts";
import { findLastChange } from "#src/base/outbox/outbox-rows.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { escapeHtml } from "#src/http/escape-html.ts";

// Decision: a page for a device with a stream delay is written as it is now and covered until the delay has passed since the last
// change of the game. Then it is what the device's viewer may see, and what came meanwhile waits in the page's queue. So no
// screen has to know how it was some seconds ago, and the first paint tells nothing.

const SECOND_MS = 1_000;

/** The cover of a page: its viewer's delay, and the times from which its end follows, in milliseconds since 1970. */
export type Cover = { seconds: number; changedAtMs: number; renderedAtMs: number };

/**
 * The cover of a page that has been read just now.
 * @param isComplete false while parts of the page are still to be read: they may contain later changes.
 */
export async function coverFor(
  { pool, log }: Pick<Deps, "pool" | "log">,
  { seconds, isComplete }: { seconds: number; isComplete: boolean },
): Promise<Cover> {
  const lastChangeMs = await findLastChange(pool.db).catch((error: unknown) => {
    log.debug({ err: error }, "could not find the last change of the game");
    return null;
  });
  const renderedAtMs = serverNow().getTime();
  const isKnown = isComplete && lastChangeMs !== null;
  return {
    seconds,
    renderedAtMs,
    changedAtMs: isKnown ? Math.min(lastChangeMs, renderedAtMs) : renderedAtMs,
  };
}

/** What the browser's code needs to end the cover (client/base/delay/follow-stream-delay.ts). */
export function coverData(cover: Cover | null): Record<string, string> {
  if (cover === null) return {};
  const { changedAtMs, renderedAtMs } = cover;
  return { "changed-at": String(changedAtMs), "rendered-at": new Date(renderedAtMs).toISOString() };
}

/** The cover itself: why nothing is shown yet, for how long, and how to end that. Empty for a page that may be shown at once. */
export function writeCover(cover: Cover | null): string {
  if (cover === null) return "";
  const { seconds, changedAtMs, renderedAtMs } = cover;
  const leftMs = changedAtMs + seconds * SECOND_MS - renderedAtMs;
  if (leftMs <= 0) return "";
  const left = minutes(leftMs);
  const [before = "", after = ""] = delayTexts.startsIn("\n").split("\n").map(escapeHtml);
  return `<main class="page" id="${COVER_ID}"><section class="panel blank">
<h1>${escapeHtml(delayTexts.heading)}</h1>
<p class="num" role="timer">${before}<b id="${COVER_LEFT_ID}">${left}</b>${after}</p>
<p>${escapeHtml(delayTexts.why(seconds))}</p>
<button class="btn" type="button" id="${COVER_OFF_ID}">${escapeHtml(delayTexts.turnOff)}</button>
</section></main>`;
}
