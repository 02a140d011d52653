import { useActionData } from "react-router";
import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { WAGER_DEFAULT } from "#src/play/calls/contract.ts";
import { readStored, store as storeText } from "../base/browser/storage.ts";
import { createStore, useStore } from "../base/browser/store.ts";
import { type MoneyProblem, readMoney, typedMoney } from "../ui/money/typed-money.ts";
import { useView } from "./view.ts";

const STEP_CENTS = 100;
const WAGER_DEFAULT_CENTS = WAGER_DEFAULT * 100;
const STORAGE_KEY = "wager";
/** Of one player: the next player on this device begins with $1. */
const STORED = /^(\d+):(\d+)$/;

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
const store = createStore(initial);

/**
 * The amount of the next call: the last one that this player has chosen on this device, $1 at first. Only what shows it reads it, so a choice does not
 * render the whole screen. An amount that was posted without JavaScript and refused is shown with its error until the field is used; one
 * that was taken counts only until the page is live.
 */
export function useWager(): Wager & { postedError: string | null } {
  const wager = useStore(store);
  const posted = useActionData<ActionRefusal>()?.wager;
  const { formCents } = useView().data;
  if (posted !== undefined && wager.typed === undefined)
    return { ...wager, typed: posted.typed, postedError: posted.error };
  return { ...wager, cents: wager === initial ? formCents : wager.cents, postedError: null };
}

/** The amount that lasts: Max, and what an empty wallet has cut, are of one question only. */
let keptCents = WAGER_DEFAULT_CENTS;
let limitCents = 0;
/** Whose amount is stored; 0 until the page is live, and signed out. */
let playerId = 0;

/**
 * Shows the amount that this player chose last on this device, unless one was chosen since the page was opened. The browser's first look
 * into its storage takes a phone as long as a tenth of the hydration, so it is done once the page is live.
 */
export function recallWager(viewerId: number): void {
  playerId = viewerId;
  if (readWager() !== initial) return;
  keptCents = recalledCents();
  store.set({ ...initial });
  offerKept();
}

/** Another question begins with the amount that lasts. */
export function offerKept(): void {
  offer(keptCents);
}

/** Shows no more than the player can wager. With nothing to wager the amount that lasts waits for money, and Max is gone. */
export function boundWager(maxCents: number): void {
  limitCents = maxCents;
  offer(maxCents > 0 ? readWager().cents : keptCents);
}

/** Shows an amount that nobody has chosen just now. What is being typed stays. */
function offer(wantedCents: number): void {
  const cents = limitCents > 0 ? Math.min(wantedCents, limitCents) : wantedCents;
  const known = readWager();
  if (known.typed == null && known.cents !== cents) store.set({ ...known, cents, refusals: 0 });
}

export const readWager = store.get;

/** The amount that the field shows, in cents, or why it cannot be read. */
export function amountOf({ cents, typed }: Wager): number | MoneyProblem {
  return typed == null ? cents : readMoney(typed);
}

/** What the field shows. */
export function fieldText({ cents, typed }: Wager): string {
  return typed ?? typedMoney(cents);
}

/** Chooses the amount of the next calls, in cents. The field shows it in the usual form. */
export function setWager(cents: number): void {
  keep(cents);
  store.set({ cents, typed: null, refusals: 0 });
}

/** Chooses all that the player can wager, for this question only. */
export function wagerAll(): void {
  store.set({ cents: limitCents, typed: null, refusals: 0 });
}

/** One dollar more, or less; never below one, and never more than the player can wager. */
export function stepWager(direction: 1 | -1): void {
  const cents = Math.max(STEP_CENTS, nextStep(readWager().cents, direction));
  if (direction > 0 && limitCents > 0 && cents >= limitCents) wagerAll();
  else setWager(cents);
}

/** The text in the field changes. It counts at once, because a side can be pressed while the field has the focus. */
export function typeWager(text: string): void {
  const typed = readMoney(text);
  if (isWager(typed)) keep(typed);
  store.set({ cents: isWager(typed) ? typed : readWager().cents, typed: text, refusals: 0 });
}

/** Nobody types any more. What was understood is shown in the usual form; anything else stays as it is, with its error. */
export function endTyping(): void {
  const known = readWager();
  if (known.typed != null && isWager(amountOf(known))) store.set({ ...known, typed: null });
}

export function refuseWager(): void {
  store.set({ ...readWager(), refusals: readWager().refusals + 1 });
}

/** True for what some event may take as a wager. */
export function isWager(amount: number | MoneyProblem): amount is number {
  return typeof amount === "number" && amount > 0 && amount <= WAGER_MAX_CENTS;
}

function keep(cents: number): void {
  keptCents = cents;
  storeText(STORAGE_KEY, `${playerId}:${cents}`);
}

function recalledCents(): number {
  const [, player, stored] = STORED.exec(readStored(STORAGE_KEY) ?? "") ?? [];
  const cents = Number(stored);
  const isOwn = Number(player) === playerId && Number.isSafeInteger(cents) && cents > 0;
  return isOwn ? cents : WAGER_DEFAULT_CENTS;
}

/** From an odd amount the next step is a whole dollar: $4.37 -> $5 or $4. */
function nextStep(cents: number, direction: 1 | -1): number {
  const whole = direction > 0 ? Math.floor(cents / STEP_CENTS) : Math.ceil(cents / STEP_CENTS);
  return (whole + direction) * STEP_CENTS;
}
