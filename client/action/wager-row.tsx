import { type ChangeEvent, type KeyboardEvent, useContext, useState } from "react";
import { kept } from "../kept.ts";
import { Icon } from "../ui/icon.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import * as texts from "./action-texts.ts";
import { PLACE_FORM } from "./forms.tsx";
import { useWager } from "./use-wager.ts";
import { HandlersContext, useView, type View } from "./view.ts";

const CHIPS_CENTS = [100, 500, 1_000];
const CHIPS_MAX_CENTS = 1_000;
const CENTS = 100;

/** Chooses the wager: a stepper with a text field, and chips. */
export function WagerRow() {
  const view = useView();
  const cents = useWager();
  const maxCents = useWagerMax(view);
  return (
    <Controls
      cents={cents}
      limitCents={maxCents < CHIPS_MAX_CENTS ? maxCents : null}
      all={cents === maxCents}
      disabledReason={disabledReasonOf(view)}
    />
  );
}

/** The most that the player can wager on this event. */
export function useWagerMax({ event }: View): number {
  return Math.min(useWallet().availableCents, event?.maxWagerCents ?? Number.MAX_SAFE_INTEGER);
}

type ControlsProps = {
  cents: number;
  /** The most that the player can wager, if it is less than one of the chips. So most players have the same controls. */
  limitCents: number | null;
  /** The wager is all that the player can wager. */
  all: boolean;
  disabledReason: string | null;
};

const Controls = kept(function Controls({ cents, limitCents, all, disabledReason }: ControlsProps) {
  const { setWager, stepWager, wagerAll } = useContext(HandlersContext);
  return (
    <div className="wager" role="group" aria-label={texts.wager}>
      <InertButton />
      <div className="stepper">
        <button
          type="button"
          aria-label={texts.less}
          disabled={disabledReason !== null}
          onClick={() => stepWager(-1)}
        >
          <Icon name="minus" />
        </button>
        <WagerField cents={cents} fixed={disabledReason !== null} />
        <button
          type="button"
          aria-label={texts.more}
          disabled={disabledReason !== null}
          onClick={() => stepWager(1)}
        >
          <Icon name="plus" />
        </button>
      </div>
      <div className="amounts">
        {CHIPS_CENTS.map((amount) => (
          <Chip
            key={amount}
            label={`$${amount / CENTS}`}
            chosen={cents === amount}
            disabledReason={disabledReason}
            limitReason={limitCents !== null && amount > limitCents ? limitReason(limitCents) : null}
            choose={() => setWager(amount)}
          />
        ))}
        <Chip
          label={texts.max}
          chosen={all}
          disabledReason={disabledReason}
          limitReason={limitCents !== null && limitCents <= 0 ? limitReason(limitCents) : null}
          choose={wagerAll}
        />
      </div>
    </div>
  );
});

function limitReason(maxCents: number): string {
  return texts.wagerLimit(maxCents);
}

/** Why no amount can be chosen now; null if it can. */
function disabledReasonOf({ phase, offline }: View): string | null {
  if (offline) return texts.noWagerOffline;
  return ["open", "closing", "visible"].includes(phase) ? null : texts.noCallsNow;
}

/**
 * Enter in the amount field submits its form by the form's first button. That must not be a side, because an amount is not
 * yet a call: the first button is this one, which does nothing.
 */
function InertButton() {
  return <button type="submit" form={PLACE_FORM} hidden disabled />;
}

/** The amount in dollars. It is a field of the form, so it works without script too. */
function WagerField({ cents: current, fixed }: { cents: number; fixed: boolean }) {
  const { setWager } = useContext(HandlersContext);
  /** The text being typed; null when not typing. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? dollarsText(current);
  const saveTyped = () => {
    const cents = Math.round(Number(typed?.replace(",", ".")) * CENTS);
    if (typed !== null && Number.isSafeInteger(cents) && cents > 0) setWager(cents);
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
        aria-label={texts.wagerInDollars}
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

type ChipProps = {
  label: string;
  chosen: boolean;
  /** Why no amount can be chosen now. */
  disabledReason: string | null;
  /** Why this amount cannot be chosen. */
  limitReason: string | null;
  choose: () => void;
};

/** An amount to choose. A disabled chip can be focused, and says why it is disabled when it is pressed. */
function Chip({ label, chosen, disabledReason, limitReason: limit, choose }: ChipProps) {
  const { refuse } = useContext(HandlersContext);
  const why = disabledReason ?? limit;
  const press = () => {
    if (why === null) choose();
    else if (disabledReason === null) refuse(`${why}.`);
  };
  return (
    <button
      type="button"
      aria-pressed={why === null && chosen}
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
