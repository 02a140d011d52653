import { serverNow } from "../base/live/clock.ts";
import type { View } from "../events/view.ts";
import { type Cue, cuesBetween, type Moment, momentOf } from "./cues.ts";
import { soundAndVibration } from "./sound-and-vibration.ts";
import { play } from "./sounds.ts";

const SECOND_MS = 1_000;
/** The last seconds before the close are heard. */
const TICKS = [3, 2, 1];
const gestures = ["pointerdown", "keydown"] as const;

/** Browsers play nothing before the viewer has touched the page, so the sounds begin with the first touch. */
let context: AudioContext | null = null;
let before: Moment | null = null;
let ticks: ReturnType<typeof setTimeout>[] = [];
let ticksFor = "";

/** Turns sounds and vibration on or off in this page. They follow what it shows, so they never come before it. */
export function switchCues(isOn: boolean): void {
  for (const gesture of gestures) {
    if (isOn) document.addEventListener(gesture, wake);
    else document.removeEventListener(gesture, wake);
  }
  if (!isOn) stopTicks();
  soundAndVibration.follow = isOn ? follow : () => undefined;
}

/** The sound that says that they are on. Call it in a touch. */
export function sample(): void {
  wake();
  sound("placed");
}

function wake(): void {
  context ??= new AudioContext();
  // A browser that was in the background may have stopped it.
  if (context.state === "suspended") void context.resume();
}

function sound(cue: Cue): void {
  if (context !== null && document.visibilityState === "visible") play(context, cue);
}

function follow(view: View): void {
  const moment = momentOf(view);
  for (const cue of cuesBetween(before, moment)) sound(cue);
  before = moment;
  planTicks(moment.open !== null && view.playable ? (view.event?.closesAt ?? null) : null);
}

/** @param closesAt of the action that takes calls; null for none. */
function planTicks(closesAt: string | null): void {
  if (ticksFor === (closesAt ?? "")) return;
  stopTicks();
  ticksFor = closesAt ?? "";
  const leftMs = Date.parse(ticksFor) - serverNow();
  const waits = TICKS.map((seconds) => leftMs - seconds * SECOND_MS).filter((waitMs) => waitMs > 0);
  ticks = waits.map((waitMs) => setTimeout(sound, waitMs, "tick"));
}

function stopTicks(): void {
  for (const tick of ticks) clearTimeout(tick);
  ticks = [];
  ticksFor = "";
}
