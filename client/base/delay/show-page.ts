import { minutes } from "../format/countdown.ts";
import { chooseDelay } from "./choose-delay.ts";
import { WAIT_ID, WAIT_LEFT_ID, WAIT_OFF_ID } from "./wait-parts.ts";

const TICK_MS = 250;

/** Shows a delayed page at a moment of the server's clock, and counts down until then. */
export function showPageAt(dueMs: number, nowMs: () => number): void {
  const notice = document.querySelector(`#${WAIT_ID}`);
  const root = document.querySelector<HTMLElement>("#root");
  if (notice === null || root === null) return;
  notice.querySelector(`#${WAIT_OFF_ID}`)?.addEventListener("click", () => chooseDelay(0));
  const left = notice.querySelector(`#${WAIT_LEFT_ID}`);
  const tick = () => {
    if (nowMs() < dueMs) {
      if (left !== null) left.textContent = minutes(dueMs - nowMs());
      return;
    }
    clearInterval(ticking);
    notice.remove();
    root.hidden = false;
  };
  const ticking = setInterval(tick, TICK_MS);
  tick();
}
