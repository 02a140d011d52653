import type { Cue } from "./cues.ts";

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

/** Plays a cue: notes made by the browser, and the vibration where the device can. */
export function play(context: AudioContext, cue: Cue): void {
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
