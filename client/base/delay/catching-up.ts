import { minutes } from "../format/countdown.ts";
import { delayTexts } from "./delay-texts.ts";

const TICK_MS = 250;
/** A shorter wait needs no words. */
const SHOWN_FROM_MS = 1_000;
/** Something of the page waits for its data: the next page, or a part of this one. */
const WAITING = ".progress, .loading";

let note: HTMLElement | null = null;
const waits = new Set<number>();
let ticking: ReturnType<typeof setInterval> | undefined;

/**
 * Says how long the page waits for an answer that may not be shown yet, where the player waits for it too.
 * @returns ends it.
 */
export function showCatchingUp(dueMs: number, nowMs: () => number): () => void {
  if (dueMs - nowMs() < SHOWN_FROM_MS) return () => undefined;
  waits.add(dueMs);
  ticking ??= setInterval(() => showLeft(nowMs()), TICK_MS);
  return () => {
    waits.delete(dueMs);
    showLeft(nowMs());
  };
}

function showLeft(nowMs: number): void {
  if (waits.size === 0) {
    clearInterval(ticking);
    ticking = undefined;
  }
  const isWaiting = waits.size > 0 && document.querySelector(WAITING) !== null;
  if (!isWaiting) {
    note?.remove();
    note = null;
    return;
  }
  note ??= createNote();
  const text = delayTexts.catchingUp(minutes(Math.max(...waits) - nowMs));
  if (note.textContent !== text) note.textContent = text;
}

function createNote(): HTMLElement {
  const element = document.createElement("p");
  element.className = "stream-delay-note";
  element.setAttribute("role", "timer");
  document.body.append(element);
  return element;
}
