import { type ChangeEvent, type KeyboardEvent, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { formatMoney } from "../ui/money.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import { PLACE_FORM } from "./forms.tsx";
import { useView, type View } from "./view.ts";

const CHIPS_CENTS = [100, 500, 1_000];
const CENTS = 100;

/** How much: a stepper that also takes typing, and chips. */
export function WagerRow() {
  const view = useView();
  const { wager, event } = view;
  const { availableCents } = useWallet();
  const mostCents = Math.min(availableCents, event?.maxWagerCents ?? Number.MAX_SAFE_INTEGER);
  const off = whyOff(view);
  return (
    <div className="wager" role="group" aria-label="Wager">
      <NoButton />
      <div className="stepper">
        <button type="button" aria-label="Less" disabled={off !== null} onClick={() => wager.step(-1)}>
          <Icon name="minus" />
        </button>
        <WagerField fixed={off !== null} />
        <button type="button" aria-label="More" disabled={off !== null} onClick={() => wager.step(1)}>
          <Icon name="plus" />
        </button>
      </div>
      <div className="amounts">
        {CHIPS_CENTS.map((cents) => (
          <Chip key={cents} cents={cents} label={`$${cents / CENTS}`} off={off} mostCents={mostCents} />
        ))}
        <Chip cents={mostCents} label="Max" off={off} mostCents={mostCents} />
      </div>
    </div>
  );
}

/** Why nothing is to be chosen now; null while it is. */
function whyOff({ phase, offline }: View): string | null {
  if (offline) return "Not while you are offline";
  return ["open", "closing", "visible"].includes(phase) ? null : "No calls are taken now";
}

/**
 * Enter in the amount presses the first button of its form, with script or without. That must not be a side: an amount is not
 * yet a call. So the first button is one that does nothing.
 */
function NoButton() {
  return <button type="submit" form={PLACE_FORM} hidden disabled />;
}

/** The amount in dollars. It is the form's own field, so it counts without script too. */
function WagerField({ fixed }: { fixed: boolean }) {
  const { wager } = useView();
  /** What is being typed; null while nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? dollarsText(wager.cents);
  const keep = () => {
    const cents = Math.round(Number(typed?.replace(",", ".")) * CENTS);
    if (typed !== null && Number.isSafeInteger(cents) && cents > 0) wager.set(cents);
    setTyped(null);
  };
  const keepOnEnter = (press: KeyboardEvent) => {
    if (press.key !== "Enter") return;
    press.preventDefault();
    keep();
  };
  return (
    <span className="amount">
      <span aria-hidden="true">$</span>
      <input
        form={PLACE_FORM}
        name="wager"
        inputMode="decimal"
        autoComplete="off"
        aria-label="Wager in dollars"
        size={Math.max(1, text.length)}
        value={text}
        readOnly={fixed}
        onChange={(change: ChangeEvent<HTMLInputElement>) => setTyped(change.target.value)}
        onBlur={keep}
        onKeyDown={keepOnEnter}
      />
    </span>
  );
}

type ChipParts = { cents: number; label: string; off: string | null; mostCents: number };

/** An amount to choose. One that cannot be chosen stays in reach and says why when it is pressed. */
function Chip({ cents, label, off, mostCents }: ChipParts) {
  const { wager, placing } = useView();
  const why =
    off ?? (cents > mostCents || cents <= 0 ? `You can wager up to ${formatMoney(mostCents)}` : null);
  const press = () => {
    if (why === null) wager.set(cents);
    else if (off === null) placing.refuse(`${why}.`);
  };
  return (
    <button
      type="button"
      aria-pressed={why === null && wager.cents === cents}
      aria-disabled={why !== null}
      title={why ?? undefined}
      onClick={press}
    >
      {label}
    </button>
  );
}

function dollarsText(cents: number): string {
  return cents % CENTS === 0 ? String(cents / CENTS) : (cents / CENTS).toFixed(2);
}
