import { minutes } from "../format/countdown.ts";
import { chooseDelay } from "./choose-delay.ts";
import { COVER_ID, COVER_LEFT_ID, COVER_OFF_ID } from "./cover-parts.ts";

const TICK_MS = 250;

/** Shows the page behind its cover at a moment of the server's clock, and counts down until then. */
export function uncoverAt(dueMs: number, nowMs: () => number): void {
  const cover = document.querySelector(`#${COVER_ID}`);
  const root = document.querySelector<HTMLElement>("#root");
  if (cover === null || root === null) return;
  cover.querySelector(`#${COVER_OFF_ID}`)?.addEventListener("click", () => chooseDelay(0));
  const left = cover.querySelector(`#${COVER_LEFT_ID}`);
  const tick = () => {
    if (nowMs() < dueMs) {
      if (left !== null) left.textContent = minutes(dueMs - nowMs());
      return;
    }
    clearInterval(ticking);
    cover.remove();
    root.hidden = false;
  };
  const ticking = setInterval(tick, TICK_MS);
  tick();
}
