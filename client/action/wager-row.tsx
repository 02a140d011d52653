import { type ChangeEvent, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import { PLACE_FORM } from "./forms.tsx";
import { useView } from "./view.ts";

const CHIPS_CENTS = [100, 500, 1_000];
const CENTS = 100;

/** How much: a stepper that also takes typing, and chips. */
export function WagerRow() {
  const { wager, phase, offline, event } = useView();
  const { availableCents } = useWallet();
  const limitCents = Math.min(availableCents, event?.maxWagerCents ?? Number.MAX_SAFE_INTEGER);
  const off = offline || !["open", "closing", "visible"].includes(phase);
  return (
    <div className="wager" role="group" aria-label="Wager">
      <div className="stepper">
        <button type="button" aria-label="Less" disabled={off} onClick={() => wager.step(-1)}>
          <Icon name="minus" />
        </button>
        <WagerField key={wager.cents} />
        <button type="button" aria-label="More" disabled={off} onClick={() => wager.step(1)}>
          <Icon name="plus" />
        </button>
      </div>
      <div className="amounts">
        {CHIPS_CENTS.map((chipCents) => (
          <Chip
            key={chipCents}
            cents={chipCents}
            label={`$${chipCents / CENTS}`}
            limitCents={limitCents}
            off={off}
          />
        ))}
        <Chip cents={limitCents} label="Max" limitCents={limitCents} off={off || limitCents <= 0} />
      </div>
    </div>
  );
}

/** The amount in dollars. It is the form's own field, so it counts without script too. */
function WagerField() {
  const { wager } = useView();
  const [text, setText] = useState(dollarsText(wager.cents));
  const keep = () => {
    const cents = Math.round(Number(text) * CENTS);
    if (Number.isSafeInteger(cents) && cents > 0) wager.set(cents);
    setText(dollarsText(cents > 0 ? cents : wager.cents));
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
        onChange={(change: ChangeEvent<HTMLInputElement>) => setText(change.target.value)}
        onBlur={keep}
      />
    </span>
  );
}

type ChipRow = { cents: number; label: string; limitCents: number; off: boolean };

function Chip({ cents, label, limitCents, off }: ChipRow) {
  const { wager } = useView();
  const short = cents > limitCents;
  return (
    <button
      type="button"
      aria-pressed={!off && wager.cents === cents}
      disabled={off || short}
      title={short ? "More than you have available" : undefined}
      onClick={() => wager.set(cents)}
    >
      {label}
    </button>
  );
}

function dollarsText(cents: number): string {
  return cents % CENTS === 0 ? String(cents / CENTS) : (cents / CENTS).toFixed(2);
}
