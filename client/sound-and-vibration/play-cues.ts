import { serverNow } from "../base/live/clock.ts";
import { isRight, viewerCallsOn } from "../calls/viewer-calls.ts";
import type { View } from "../events/view.ts";
import { soundAndVibration } from "./sound-and-vibration.ts";

/** What the player hears and feels. */
type Cue = "opens" | "placed" | "won" | "lost" | "tick";

/** What the page shows, as far as it is heard. */
type Moment = {
  sessionId: number;
  /** The event that takes calls, with its round; null for none. */
  open: string | null;
  /** The viewer's newest call on it. */
  latestCallId: number;
  /** The events that the viewer was right about, or has lost, by id. */
  outcomes: ReadonlyMap<number, "won" | "lost">;
};

/** The last seconds before the close are heard. */
const TICKS = [3, 2, 1];
const gestures = ["pointerdown", "keydown"] as const;

/** Browsers play nothing before the viewer has touched the page, so the sounds begin with the first touch. */
let context: AudioContext | null = null;
let before: Moment | null = null;
let ticks: ReturnType<typeof setTimeout>[] = [];
let ticksFor = "";

/** For `navigator.vibrate`, in ms: on, off, on... */
const vibrations: Record<Cue, readonly number[]> = {
  opens: [20],
  placed: [30],
  won: [30, 40, 30, 40, 80],
  lost: [15],
  tick: [],
};

const SILENT = 0.0001;
const ATTACK_S = 0.01;

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
  const waits = TICKS.map((seconds) => leftMs - seconds * 1_000).filter((waitMs) => waitMs > 0);
  ticks = waits.map((waitMs) => setTimeout(sound, waitMs, "tick"));
}

function stopTicks(): void {
  for (const tick of ticks) clearTimeout(tick);
  ticks = [];
  ticksFor = "";
}

/** One note: its pitch in Hz, when it begins and how long it is in seconds, and how loud it is, 0 to 1. */
type Note = { hz: number; at: number; long: number; loud: number };

/** A win rises, a loss is one low and quiet note, a stamp is short. */
const notes: Record<Cue, readonly Note[]> = {
  opens: [
    { hz: 660, at: 0, long: 0.09, loud: 0.18 },
    { hz: 880, at: 0.1, long: 0.14, loud: 0.18 },
  ],
  placed: [{ hz: 520, at: 0, long: 0.06, loud: 0.22 }],
  won: [
    { hz: 523, at: 0, long: 0.1, loud: 0.22 },
    { hz: 659, at: 0.1, long: 0.1, loud: 0.22 },
    { hz: 784, at: 0.2, long: 0.1, loud: 0.22 },
    { hz: 1_047, at: 0.3, long: 0.25, loud: 0.22 },
  ],
  lost: [{ hz: 196, at: 0, long: 0.22, loud: 0.08 }],
  tick: [{ hz: 1_200, at: 0, long: 0.03, loud: 0.1 }],
};

/** Plays a cue: notes made by the browser, and the vibration where the device can. */
function play(context: AudioContext, cue: Cue): void {
  for (const note of notes[cue]) playNote(context, note);
  const pattern = vibrations[cue];
  if (pattern.length > 0 && "vibrate" in navigator) navigator.vibrate([...pattern]);
}

function playNote(context: AudioContext, { hz, at, long, loud }: Note): void {
  const start = context.currentTime + at;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = hz;
  gain.gain.setValueAtTime(SILENT, start);
  gain.gain.exponentialRampToValueAtTime(loud, start + ATTACK_S);
  gain.gain.exponentialRampToValueAtTime(SILENT, start + long);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + long);
}

export function momentOf({ state, event, phase }: Pick<View, "state" | "event" | "phase">): Moment {
  const isOpen = event !== null && (phase === "open" || phase === "closing");
  const outcomes = state.events.flatMap((each): (readonly [number, "won" | "lost"])[] => {
    const outcome = each.state === "resolved" ? viewerCallsOn(each).outcome : null;
    if (isRight(outcome)) return [[each.id, "won"]];
    return outcome?.kind === "lost" ? [[each.id, "lost"]] : [];
  });
  return {
    sessionId: state.session.id,
    open: isOpen ? `${event.id} ${event.openedAt}` : null,
    latestCallId: isOpen ? (event.myCalls.at(-1)?.id ?? 0) : 0,
    outcomes: new Map(outcomes),
  };
}

/** What is new between two moments; nothing at the first (`before` is null), so nothing is heard again after a reload. */
export function cuesBetween(before: Moment | null, after: Moment): Cue[] {
  if (before === null || before.sessionId !== after.sessionId) return [];
  const cues: Cue[] = [];
  const isSameAction = before.open === after.open;
  if (after.open !== null && !isSameAction) cues.push("opens");
  if (isSameAction && after.latestCallId > before.latestCallId) cues.push("placed");
  const changed = [...after.outcomes].filter(([id, kind]) => before.outcomes.get(id) !== kind);
  if (changed.length > 0) cues.push(changed.some(([, kind]) => kind === "won") ? "won" : "lost");
  return cues;
}
