import { type ChangeEvent, type KeyboardEvent, memo, useEffect, useRef } from "react";
import { formatMoney } from "#client/base/format/money.ts";
import * as texts from "#client/events/action-texts.ts";
import {
  amountOf,
  endTyping,
  fieldText,
  refuseWager,
  typeWager,
  useWager,
} from "#client/events/use-wager.ts";
import { useHandlers, useView, type View } from "#client/events/view.ts";
import { usePurse, wagerFault, wagerLimits, useOnTheHouse } from "#client/events/wager-fault.ts";
import { guardWhenGone } from "../base/browser/click-guard.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Icon } from "../ui/icon.tsx";

/** Ids of the forms that the buttons outside them belong to. */
export const PLACE_FORM = "place-call";
export const CANCEL_FORM = "cancel-call";
const CHIPS_CENTS = [100, 500, 1_000];
const CHIPS_MAX_CENTS = 1_000;
const CENTS = 100;
const LONG_AMOUNT = 4;
const ERROR_ID = "wager-error";

/** Chooses the wager: a stepper with a text field, and chips. */
export function WagerRow() {
  const view = useView();
  const wager = useWager();
  const { availableCents } = usePurse(view);
  const maxCents = useWagerMax(view);
  const disabledReason = disabledReasonOf(view);
  const amount = amountOf(wager);
  const fault = wagerFault(amount, wagerLimits(view, availableCents));
  const error = wager.refusals > 0 ? fault : wager.postedError;
  return (
    <Controls
      cents={typeof amount === "number" ? amount : null}
      text={fieldText(wager)}
      isFaulty={fault !== null}
      error={disabledReason === null ? error : null}
      refusals={wager.refusals}
      limitCents={maxCents < CHIPS_MAX_CENTS ? maxCents : null}
      all={amount === maxCents}
      disabledReason={disabledReason}
    />
  );
}

export function useWagerMax(view: View): number {
  const { availableCents, leftCents } = wagerLimits(view, usePurse(view).availableCents);
  return Math.min(availableCents, leftCents);
}

type ControlsProps = FieldProps & {
  /** Null while the field holds no amount. */
  cents: number | null;
  /** The most that the player can wager, if it is less than one of the chips. So most players have the same controls. */
  limitCents: number | null;
  /** The wager is all that the player can wager. */
  all: boolean;
  disabledReason: string | null;
};

const Controls = memo(function Controls(props: ControlsProps) {
  const { cents, limitCents, all, disabledReason, text, isFaulty, error, refusals } = props;
  const { setWager, stepWager, wagerAll } = useHandlers();
  return (
    <div className="wager" role="group" aria-label={texts.wager} ref={guardWhenGone}>
      <InertButton />
      <div className="stepper">
        <button
          type="button"
          aria-label="Less"
          disabled={disabledReason !== null}
          onClick={() => stepWager(-1)}
        >
          <Icon name="minus" />
        </button>
        <WagerField {...{ text, isFaulty, error, refusals }} fixed={disabledReason !== null} />
        <button
          type="button"
          aria-label="More"
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
          label="Max"
          // One choice is marked, also where they are the same amount.
          chosen={all && !CHIPS_CENTS.some((amount) => amount === cents)}
          disabledReason={disabledReason}
          limitReason={limitCents !== null && limitCents <= 0 ? limitReason(limitCents) : null}
          choose={wagerAll}
        />
      </div>
      {error === null ? null : (
        <p className="wager-error" id={ERROR_ID} role="alert" key={refusals}>
          <span>
            <Icon name="warning" size="s" />
            <span>{error}</span>
          </span>
        </p>
      )}
    </div>
  );
});

function limitReason(maxCents: number): string {
  return `You can wager up to ${formatMoney(maxCents)}`;
}

/** Why no amount can be chosen now; null if it can. */
export function disabledReasonOf({ phase, offline, breakUntil }: View): string | null {
  if (offline) return "Not while you are offline";
  if (breakUntil !== null) return "Not on your break";
  return ["open", "closing", "visible"].includes(phase) ? null : "No calls are taken now";
}

/**
 * Enter in the amount field submits its form by the form's first button. That must not be a side, because an amount is not
 * yet a call: the first button is this one, which does nothing.
 */
function InertButton() {
  return <button type="submit" form={PLACE_FORM} hidden disabled />;
}

type FieldProps = {
  text: string;
  /** The amount cannot be wagered. The field says so when the player has typed it, and when it is refused. */
  isFaulty: boolean;
  error: string | null;
  /** Each refusal is announced, also the same one again. */
  refusals: number;
};

/** The amount in dollars. It is a field of the form, so it works without JavaScript too. */
function WagerField({ text, isFaulty, error, fixed }: FieldProps & { fixed: boolean }) {
  const field = useTypedBefore(text);
  const leave = () => {
    endTyping();
    if (isFaulty && error === null) refuseWager();
  };
  const leaveOnEnter = (press: KeyboardEvent) => {
    if (press.key !== "Enter") return;
    press.preventDefault();
    leave();
  };
  return (
    <span className="amount" data-len={text.length > LONG_AMOUNT ? "long" : undefined}>
      <span aria-hidden="true">$</span>
      <input
        ref={field}
        form={PLACE_FORM}
        name="wager"
        inputMode="decimal"
        autoComplete="off"
        aria-label="Wager in dollars"
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : ERROR_ID}
        size={Math.max(1, text.length)}
        value={text}
        readOnly={fixed}
        onChange={(change: ChangeEvent<HTMLInputElement>) => typeWager(change.target.value)}
        onBlur={leave}
        onKeyDown={leaveOnEnter}
      />
    </span>
  );
}

/** What was typed before the page was live counts too. */
function useTypedBefore(text: string) {
  const field = useRef<HTMLInputElement>(null);
  const rendered = useRef(text);
  useEffect(() => {
    const shown = field.current?.value;
    if (shown !== undefined && shown !== rendered.current) typeWager(shown);
  }, []);
  return field;
}

type ChipProps = {
  label: string;
  chosen: boolean;
  disabledReason: string | null;
  limitReason: string | null;
  choose: () => void;
};

/** An amount to choose. A disabled chip can be focused, and says why it is disabled when it is pressed. */
function Chip({ label, chosen, disabledReason, limitReason: limit, choose }: ChipProps) {
  const { refuse } = useHandlers();
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

/** The hidden forms that the buttons submit where there is no script, or before the page is hydrated. */
export function Forms() {
  const view = useView();
  const onTheHouse = useOnTheHouse(view);
  return (
    <>
      <form id={PLACE_FORM} method="post" hidden>
        <CsrfField />
        <input type="hidden" name="idempotency_key" value={view.data.formKey} />
        {onTheHouse ? <input type="hidden" name="on_the_house" value="1" /> : null}
      </form>
      <form id={CANCEL_FORM} method="post" hidden>
        <CsrfField />
      </form>
    </>
  );
}
