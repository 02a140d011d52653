import type { ReactNode } from "react";
import type { ViewerCalls } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { couldPayCents, isUnopposed } from "#client/events/estimate.ts";
import { type Side, sides } from "#db/lists/spots.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { keepStill } from "../base/browser/still-places.ts";
import { formatMoney } from "../base/format/money.ts";
import { SideShape } from "../ui/icon.tsx";

const LONG_LABEL = 9;

export type Asks = { ask: () => void };

/** Words that explain themselves when they are pressed. */
export function Words({ ask, children }: Asks & { children: ReactNode }) {
  return (
    <button
      className="pays"
      type="button"
      aria-haspopup="dialog"
      title={texts.howItPays}
      onClick={ask}
      ref={leaveWords}
    >
      {children}
    </button>
  );
}

/** "True $5.00"; a long label is replaced by the shape of its side. */
export function Called({ label, side, wagerCents }: { label: string; side: Side; wagerCents: number }) {
  const amount = formatMoney(wagerCents);
  if (label.length <= LONG_LABEL) return <b>{`${label} ${amount}`}</b>;
  return (
    <>
      <SideShape side={side} />
      <span className="vh">{label}</span> <b>{amount}</b>
    </>
  );
}

type SumsProps = { event: EventView; viewerCalls: ViewerCalls; latest: CallView };

/** The sum of the wagers and what it could pay, or one sum per side if both were called. */
export function Sums({ event, viewerCalls: { wageredCents }, latest }: SumsProps) {
  if (wageredCents.true > 0 && wageredCents.false > 0) {
    return sides.map((side) => (
      <span key={side} className="sum">
        <SideShape side={side} />
        <span className="vh">{event.spots.find((spot) => spot.side === side)?.label}</span>
        <b>{formatMoney(wageredCents[side])}</b>
      </span>
    ));
  }
  const { label, side } = latest;
  const ownCents = wageredCents[side];
  return (
    <>
      <Called label={label} side={side} wagerCents={ownCents} />{" "}
      <span className="hint">
        {isUnopposed(event.pool, side)
          ? texts.waitsForOthers
          : texts.couldPay(formatMoney(couldPayCents(event.pool, side, { ownCents })))}
      </span>
    </>
  );
}

/** True while words that explain themselves go away. */
let areGoing = false;

/** A `ref` for them: what takes their place is pressed on purpose, unless it is Cancel and comes by itself. */
function leaveWords(words: HTMLElement | null): () => void {
  const keepFocus = focusStays(words);
  return () => {
    areGoing = true;
    queueMicrotask(() => (areGoing = false));
    keepFocus();
  };
}

/** Called with Cancel when it comes: a call from another device brings it where the words were, with no press on this page. */
export function comeForWords(cancel: HTMLElement | null): void {
  if (areGoing && cancel !== null) keepStill(cancel);
}

/** A `ref` for a control of the row: its focus stays in the card. */
export function focusStays(control: HTMLElement | null): () => void {
  return () => {
    if (document.activeElement !== control) return;
    queueMicrotask(() => document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true }));
  };
}
