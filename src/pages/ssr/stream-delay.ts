import { delayTexts, WAIT_ID, WAIT_LEFT_ID, WAIT_OFF_ID } from "#client/base/delay/delay-texts.ts";
import { minutes } from "#client/base/format/countdown.ts";
import type { Deps } from "#src/base/deps.ts";
import { findLastChange } from "#src/base/outbox/outbox-rows.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { escapeHtml } from "#src/http/escape-html.ts";

// Decision: a page for a device with a stream delay is written as it is now and hidden until the delay has passed since the last
// change of the game. Then it is what the device's viewer may see, and what came meanwhile waits in the page's queue. So no
// screen has to know how it was some seconds ago, and the first paint reveals nothing.

const SECOND_MS = 1_000;

/** The delay of a page: its viewer's seconds, and the times from which its end follows, in milliseconds since 1970. */
export type PageDelay = { seconds: number; changedAtMs: number; renderedAtMs: number };

/**
 * The delay of a page that has been read just now.
 * @param isComplete false while parts of the page are still to be read: they may contain later changes.
 */
export async function delayFor(
  { pool, log }: Pick<Deps, "pool" | "log">,
  { seconds, isComplete }: { seconds: number; isComplete: boolean },
): Promise<PageDelay> {
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

/** What the browser's code needs to show the page (client/base/delay/follow-stream-delay.ts). */
export function delayData(delay: PageDelay | null): Record<string, string> {
  if (delay === null) return {};
  const { changedAtMs, renderedAtMs } = delay;
  return { "changed-at": String(changedAtMs), "rendered-at": new Date(renderedAtMs).toISOString() };
}

/** The notice on a delayed page: why nothing is shown yet, for how long, and how to end that. Empty for a page that may be shown at once. */
export function writeWait(delay: PageDelay | null): string {
  if (delay === null) return "";
  const { seconds, changedAtMs, renderedAtMs } = delay;
  const leftMs = changedAtMs + seconds * SECOND_MS - renderedAtMs;
  if (leftMs <= 0) return "";
  const left = minutes(leftMs);
  const [before = "", after = ""] = delayTexts.startsIn("\n").split("\n").map(escapeHtml);
  return `<main class="page" id="${WAIT_ID}"><section class="panel blank">
<h1>${escapeHtml(delayTexts.heading)}</h1>
<p class="num" role="timer">${before}<b id="${WAIT_LEFT_ID}">${left}</b>${after}</p>
<p>${escapeHtml(delayTexts.why(seconds))}</p>
<button class="btn" type="button" id="${WAIT_OFF_ID}">${escapeHtml(delayTexts.turnOff)}</button>
</section></main>`;
}
