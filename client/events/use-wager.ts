import { useSyncExternalStore } from "react";
import { useActionData } from "react-router";
import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { WAGER_DEFAULT } from "#src/play/calls/contract.ts";
import { type MoneyProblem, readMoney, typedMoney } from "../ui/money/typed-money.ts";

const STEP_CENTS = 100;
const WAGER_DEFAULT_CENTS = WAGER_DEFAULT * 100;
const STORAGE_KEY = "wager";

/** Why a form of the Action screen was refused. */
export type ActionRefusal = {
  refusal: string;
  /** The amount as it was typed, and what is wrong with it; null if it is not the amount. */
  wager: { typed: string; error: string | null };
};

/** The amount of the next call, and what its field shows. */
export type Wager = {
  /** The last amount that was chosen, or typed and understood, in cents. */
  cents: number;
  /** The text in the field, as typed; null: the field shows `cents`. Undefined until the field is used. */
  typed: string | null | undefined;
  /** How often the amount was refused since it was changed. From 1 on the field shows why. */
  refusals: number;
};

const initial: Wager = { cents: WAGER_DEFAULT_CENTS, typed: undefined, refusals: 0 };
const listeners = new Set<() => void>();

/**
 * The amount of the next call: the last one that the player chose on this device, $1 at first. Only what shows it reads it, so a choice does not
 * render the whole screen. An amount that was posted without JavaScript and refused is shown with its error until the field is used.
 */
export function useWager(): Wager & { postedError: string | null } {
  const wager = useSyncExternalStore(subscribe, readWager, () => initial);
  const posted = useActionData<ActionRefusal>()?.wager;
  if (posted === undefined || wager.typed !== undefined) return { ...wager, postedError: null };
  return { ...wager, typed: posted.typed, postedError: posted.error };
}

let current = initial;
/** Whose amount it is: a device may have several players, and the amount of one is nobody else's. 0: signed out. */
let playerId = 0;
/** The amount of the last page was recalled, or another was chosen. Without localStorage it lasts as long as the page. */
let isKnown = false;

/**
 * Shows the amount that this player has chosen last on this device, unless one was chosen since the page was opened. The browser's first look into
 * its storage takes a phone as long as a tenth of the hydration, so it is done once the page is live.
 */
export function recallWager(viewerId: number): void {
  playerId = viewerId;
  if (isKnown) return;
  const cents = readStored();
  if (cents !== initial.cents) show({ ...initial, cents });
  isKnown = true;
}

/** The amount outside React. */
export function readWager(): Wager {
  return current;
}

/** The amount that the field shows, in cents, or why it cannot be read. */
export function amountOf({ cents, typed }: Wager): number | MoneyProblem {
  return typed == null ? cents : readMoney(typed);
}

/** What the field shows. */
export function fieldText({ cents, typed }: Wager): string {
  return typed ?? typedMoney(cents);
}

/** Chooses the amount of the next call, in cents. The field shows it in the usual form. */
export function setWager(cents: number): void {
  change({ cents, typed: null, refusals: 0 });
}

/** One dollar more, or less; never below one. */
export function stepWager(direction: 1 | -1): void {
  setWager(Math.max(STEP_CENTS, nextStep(readWager().cents, direction)));
}

/** The text in the field changes. It counts at once, because a side can be pressed while the field has the focus. */
export function typeWager(text: string): void {
  const typed = readMoney(text);
  change({ cents: isWager(typed) ? typed : readWager().cents, typed: text, refusals: 0 });
}

/** Nobody types any more. What was understood is shown in the usual form; anything else stays as it is, with its error. */
export function endTyping(): void {
  const amount = amountOf(readWager());
  if (isWager(amount) && readWager().typed != null) change({ ...readWager(), typed: null });
}

/** Shows why the amount is refused. Each time it is announced. */
export function refuseWager(): void {
  const wager = readWager();
  change({ ...wager, refusals: wager.refusals + 1 });
}

/** True for what some event may take as a wager. */
export function isWager(amount: number | MoneyProblem): amount is number {
  return typeof amount === "number" && amount > 0 && amount <= WAGER_MAX_CENTS;
}

function change(next: Wager): void {
  isKnown = true;
  const { cents, typed, refusals } = readWager();
  if (next.cents === cents && next.typed === typed && next.refusals === refusals) return;
  if (next.cents !== cents) store(next.cents);
  show(next);
}

function show(next: Wager): void {
  current = next;
  for (const listener of listeners) listener();
}

function store(cents: number): void {
  try {
    localStorage.setItem(STORAGE_KEY, `${cents} ${playerId}`);
  } catch {
    // Storage is switched off or full.
  }
}

function readStored(): number {
  try {
    const [cents, ofPlayer] = (localStorage.getItem(STORAGE_KEY) ?? "").split(" ").map(Number);
    return ofPlayer === playerId && isWager(cents ?? 0) ? (cents ?? 0) : WAGER_DEFAULT_CENTS;
  } catch {
    return WAGER_DEFAULT_CENTS;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From an odd amount the next step is a whole dollar: $4.37 -> $5 or $4. */
function nextStep(cents: number, direction: 1 | -1): number {
  const whole = direction > 0 ? Math.floor(cents / STEP_CENTS) : Math.ceil(cents / STEP_CENTS);
  return (whole + direction) * STEP_CENTS;
}
