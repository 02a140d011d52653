import { type ChangeEvent, type KeyboardEvent, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { formatMoney } from "../ui/money.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import { PLACE_FORM } from "./forms.tsx";
import { useView, type View } from "./view.ts";

const CHIPS_CENTS = [100, 500, 1_000];
const CENTS = 100;

/** Chooses the wager: a stepper with a text field, and chips. */
export function WagerRow() {
  const view = useView();
  const { wager, event } = view;
  const { availableCents } = useWallet();
  const maxCents = Math.min(availableCents, event?.maxWagerCents ?? Number.MAX_SAFE_INTEGER);
  const disabledReason = disabledReasonOf(view);
  return (
    <div className="wager" role="group" aria-label="Wager">
      <InertButton />
      <div className="stepper">
        <button
          type="button"
          aria-label="Less"
          disabled={disabledReason !== null}
          onClick={() => wager.step(-1)}
        >
          <Icon name="minus" />
        </button>
        <WagerField fixed={disabledReason !== null} />
        <button
          type="button"
          aria-label="More"
          disabled={disabledReason !== null}
          onClick={() => wager.step(1)}
        >
          <Icon name="plus" />
        </button>
      </div>
      <div className="amounts">
        {CHIPS_CENTS.map((cents) => (
          <Chip
            key={cents}
            cents={cents}
            label={`$${cents / CENTS}`}
            disabledReason={disabledReason}
            maxCents={maxCents}
          />
        ))}
        <Chip cents={maxCents} label="Max" disabledReason={disabledReason} maxCents={maxCents} />
      </div>
    </div>
  );
}

/** Why no amount can be chosen now; null if it can. */
function disabledReasonOf({ phase, offline }: View): string | null {
  if (offline) return "Not while you are offline";
  return ["open", "closing", "visible"].includes(phase) ? null : "No calls are taken now";
}

/**
 * Enter in the amount field submits its form by the form's first button. That must not be a side, because an amount is not
 * yet a call: the first button is this one, which does nothing.
 */
function InertButton() {
  return <button type="submit" form={PLACE_FORM} hidden disabled />;
}

/** The amount in dollars. It is a field of the form, so it works without script too. */
function WagerField({ fixed }: { fixed: boolean }) {
  const { wager } = useView();
  /** The text being typed; null when not typing. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? dollarsText(wager.cents);
  const saveTyped = () => {
    const cents = Math.round(Number(typed?.replace(",", ".")) * CENTS);
    if (typed !== null && Number.isSafeInteger(cents) && cents > 0) wager.set(cents);
    setTyped(null);
  };
  const saveOnEnter = (press: KeyboardEvent) => {
    if (press.key !== "Enter") return;
    press.preventDefault();
    saveTyped();
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
        onBlur={saveTyped}
        onKeyDown={saveOnEnter}
      />
    </span>
  );
}

type ChipProps = { cents: number; label: string; disabledReason: string | null; maxCents: number };

/** An amount to choose. A disabled chip can be focused, and says why it is disabled when it is pressed. */
function Chip({ cents, label, disabledReason, maxCents }: ChipProps) {
  const { wager, placing } = useView();
  const why =
    disabledReason ??
    (cents > maxCents || cents <= 0 ? `You can wager up to ${formatMoney(maxCents)}` : null);
  const press = () => {
    if (why === null) wager.set(cents);
    else if (disabledReason === null) placing.refuse(`${why}.`);
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
