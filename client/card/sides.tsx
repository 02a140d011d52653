import { memo, type MouseEvent, type ReactNode, type RefObject } from "react";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import * as texts from "#client/events/action-texts.ts";
import { couldPayCents, isUnopposed, oddsText } from "#client/events/estimate.ts";
import { usePressedSpot } from "#client/events/pressed-spot.ts";
import {
  amountOf,
  endTyping,
  fieldText,
  isWager,
  readWager,
  refuseWager,
  typeWager,
  useWager,
} from "#client/events/use-wager.ts";
import { useHandlers, useView, type View } from "#client/events/view.ts";
import { nothingToWager, type Purse, usePurse, wagerFault, wagerLimits } from "#client/events/wager-fault.ts";
import type { Side as SideName } from "#db/lists/spots.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { guardComingAndGoing, guardWhenGone } from "../base/browser/click-guard.ts";
import { minutes } from "../base/format/countdown.ts";
import { formatMoney, formatShortMoney } from "../base/format/money.ts";
import { formatClock } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useServerTime } from "../base/live/clock.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.tsx";
import { PLACE_FORM } from "./wager-row.tsx";

const youThink = "You think";

const LONG_LABEL = 8;
/** "59:59" */
const MINUTES_LENGTH = 5;

// Decision: a side that is called takes no further call by a press on it, because people press again to be sure. More is wagered by a
// smaller button in its corner, which says so.

/** The two sides. True is always left, False always right. */
export function Sides({ group }: { group: RefObject<HTMLDivElement | null> }) {
  const { aim } = useHandlers();
  return (
    <div
      className="sides"
      role="radiogroup"
      aria-label={youThink}
      ref={group}
      onPointerDown={aim}
      onKeyDown={aim}
    >
      <SideButton side="true" />
      <MoreOn side="true" />
      <SideButton side="false" />
      <MoreOn side="false" />
    </div>
  );
}

function SideButton({ side }: { side: SideName }) {
  const view = useView();
  const nothing = useNothingToWager(view);
  const said = useSideWords(view, { side, nothing });
  const spot = spotOf(view, side);
  const tag = tagOf(view, side, useTimeZone());
  const called = useCalledSide(view);
  const labels = view.event?.spots.map(({ label }) => label) ?? [];
  return (
    <SideFace
      side={side}
      className={sideClass(view, side, called)}
      spotId={isCalled(view, side) ? undefined : spot?.id}
      label={spot?.label ?? ""}
      // Both labels have the same size.
      long={labels.some((label) => label.length > LONG_LABEL)}
      {...said}
      mine={called === side}
      playable={view.playable && nothing === null && !view.placing.resting}
    >
      {tag === null ? null : <SideTag tag={tag} />}
    </SideFace>
  );
}

/** Why this player can wager no amount at all; null if one can be wagered. */
function useNothingToWager(view: View): string | null {
  return nothingToWager(wagerLimits(view, usePurse(view).availableCents));
}

function spotOf({ event }: View, side: SideName): SpotView | undefined {
  return event?.spots.find((each) => each.side === side);
}

function isCalled({ viewerCalls }: View, side: SideName): boolean {
  return viewerCalls !== null && viewerCalls.wageredCents[side] > 0;
}

/** On a side that is called: the button that places one more call. */
function MoreOn({ side }: { side: SideName }) {
  const view = useView();
  const nothing = useNothingToWager(view);
  const spot = spotOf(view, side);
  if (!view.playable || nothing !== null || spot === undefined || !isCalled(view, side)) return null;
  return <Add spot={spot} resting={view.placing.resting} />;
}

function Add({ spot: { id, side, label }, resting }: { spot: SpotView; resting: boolean }) {
  const { call } = useHandlers();
  const amount = amountOf(useWager());
  const press = (click: MouseEvent) => {
    click.preventDefault();
    call(side, true);
  };
  return (
    <button
      className={`add ${side}`}
      type="submit"
      form={PLACE_FORM}
      name="spot_id"
      value={id}
      aria-disabled={resting}
      onClick={press}
      ref={guardComingAndGoing}
    >
      <span>Called. </span>
      {`Add ${isWager(amount) ? formatShortMoney(amount) : "more"}?`}
      <span className="vh">{` ${label}`}</span>
    </button>
  );
}

type SideFaceProps = {
  side: SideName;
  className: string;
  /** Undefined where a press places nothing. */
  spotId: number | undefined;
  label: string;
  long: boolean;
  text: string;
  spoken: string;
  mine: boolean;
  playable: boolean;
  /** The tag of the viewer's call. Without one the button is the same for everybody. */
  children: ReactNode;
};

const SideFace = memo(function SideFace({ side, className, label, text, ...props }: SideFaceProps) {
  const { call } = useHandlers();
  const press = (click: MouseEvent) => {
    click.preventDefault();
    call(side);
  };
  const name = [side === "true" ? youThink : "", label || (side === "true" ? "True" : "False")]
    .join(" ")
    .trim();
  return (
    <button
      className={className}
      type={props.spotId === undefined ? "button" : "submit"}
      form={PLACE_FORM}
      name="spot_id"
      value={props.spotId}
      role="radio"
      aria-checked={props.mine}
      aria-disabled={!props.playable}
      aria-keyshortcuts={side === "true" ? "1" : "2"}
      aria-label={`${name}. ${props.spoken}`}
      onClick={press}
      ref={guardWhenGone}
    >
      <Icon name={side} />
      <span className="label" data-len={props.long ? "long" : undefined}>
        <small>{side === "true" ? youThink : "\u00a0"}</small>
        <span>{label || "\u00a0"}</span>
      </span>
      <span className="est">{text || "\u00a0"}</span>
      {props.children}
    </button>
  );
});

/**
 * Places a call of the amount that is on the screen, if calls are taken. An amount that cannot be wagered is refused beside its field.
 * @param add the player has asked for one more call on a side that is called.
 */
export function placeCall(
  view: View,
  { side, add }: { side: SideName; add: boolean },
  { availableCents, onTheHouse }: Purse,
): void {
  const { playable, placing } = view;
  const spot = spotOf(view, side);
  if (!playable) return sayWhyNot(view);
  if (spot === undefined) return;
  if (!add && isCalled(view, side)) return sayCalled(view);
  readField();
  const amount = amountOf(readWager());
  const fault = wagerFault(amount, wagerLimits(view, availableCents));
  if (fault !== null || typeof amount !== "number") return refuseWager();
  endTyping();
  void placing.place(spot, amount, onTheHouse);
}

/** Why no call is taken, where the player may not see it. */
function sayWhyNot({ closeWarning, watching, breakUntil, phase, placing }: View): void {
  if (closeWarning !== "") placing.refuse(closeWarning);
  if (watching && isTaken(phase)) leadToPlay();
  if (breakUntil !== null && isTaken(phase)) placing.refuse("You are on a break, and make no calls.");
}

/** The end of a double press is no question. */
function sayCalled({ placing }: View): void {
  if (placing.resting) return;
  showToast({ icon: "mark", text: "You have called it. The small button adds to it." });
}

/** A watcher has to begin to play first: the focus goes where that is done. */
function leadToPlay(): void {
  showToast({ icon: "info", text: "Play as guest first: one tap, no account." });
  document.querySelector<HTMLElement>(".watcher button")?.focus();
}

/** Calls are taken in this phase. */
function isTaken(phase: View["phase"]): boolean {
  return phase === "open" || phase === "closing";
}

/** The field may show what no event has reported: its text was set by an extension, or was typed before the page was live. */
function readField(): void {
  const form = document.querySelector<HTMLFormElement>(`#${PLACE_FORM}`);
  const text = form === null ? null : new FormData(form).get("wager");
  if (typeof text === "string" && text !== fieldText(readWager())) typeWager(text);
}

/** The text below the label, of one line, and what is read of it. */
type SideWords = { text: string; spoken: string };

/**
 * The odds while calls are taken, else why they are not.
 * @param nothing why this player can wager no amount at all; null if one can be wagered.
 */
function useSideWords(view: View, { side, nothing }: { side: SideName; nothing: string | null }): SideWords {
  const { event, phase, data } = view;
  const amount = amountOf(useWager());
  const opensAtMs = Date.parse(event?.opensAt ?? "");
  const opensIn = useServerTime(
    (nowMs) => (phase === "visible" && Number.isFinite(opensAtMs) ? minutes(opensAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (phase === "visible") return openingWords(opensIn);
  if (event !== null && view.playable) {
    if (nothing !== null) return asRead(nothing);
    if (isCalled(view, side)) return { text: "", spoken: "You have called it." };
    return isWager(amount) ? payWords(event.pool, side, amount) : asRead("Check amount");
  }
  if (event !== null && phase === "resolved") return asRead(resultText(event, side));
  return asRead(closedText(view, side));
}

/** Hours and days leave no room for more than them: the label stays where it is while they run out. */
function openingWords(opensIn: string): SideWords {
  if (opensIn === "") return asRead("Opens soon");
  const spoken = `Opens in ${opensIn}`;
  return { text: opensIn.length > MINUTES_LENGTH ? `In ${opensIn}` : spoken, spoken };
}

function asRead(text: string): SideWords {
  return { text, spoken: text };
}

/** What the next wager could pay: the odds, and for who hears them the amount too. */
function payWords(pool: EventView["pool"], side: SideName, wagerCents: number): SideWords {
  if (isUnopposed(pool, side)) return asRead(pool.totalCents === 0 ? "First call" : "Nobody against");
  const text = oddsText(pool, side, wagerCents);
  const money = formatMoney(couldPayCents(pool, side, { ownCents: 0, moreCents: wagerCents }));
  return { text, spoken: `${text}. ${formatShortMoney(wagerCents)} ${texts.couldPay(money)}` };
}

function closedText(view: View, side: SideName): string {
  const { phase, offline, watching, breakUntil, unread, closeWarning } = view;
  if (unread) return "New question";
  if (isCalled(view, side)) return "Your call stands";
  if (offline) return texts.offline;
  if (breakUntil !== null && isTaken(phase)) return "On a break";
  if (closeWarning !== "") return "Closed already";
  if (watching && isTaken(phase)) return "Play to call it";
  if (phase === "closed" || phase === "locking") return texts.closed;
  return phase === "paused" ? words.paused : "Not open";
}

function resultText(event: EventView, side: SideName): string {
  const spot = event.spots.find((each) => each.side === side);
  if (!event.voided && String(event.result) === side) return "The result";
  return countOf(spot?.callsCount ?? 0, "call");
}

function sideClass(view: View, side: SideName, called: SideName | null): string {
  if (view.phase === "resolved" && view.event !== null) {
    return String(view.event.result) === side ? `side ${side} mine-side` : `side ${side}`;
  }
  if (called === side) return `side ${side} mine-side`;
  return called !== null && view.playable ? `side ${side} quiet` : `side ${side}`;
}

/** The side of the call being sent, else that of the newest call; null without one. */
function useCalledSide({ placing, viewerCalls, event }: View): SideName | null {
  const pressed = usePressedSpot();
  const spot = placing.pending?.spot ?? pressed;
  if (spot !== null && spot.eventId === event?.id) return spot.side;
  return viewerCalls?.latest?.side ?? null;
}

type Tag = { icon: IconName; text: string; spent: boolean };

/** The stamp with it. */
function SideTag({ tag }: { tag: Tag }) {
  return (
    <span className={tag.spent ? "tag spent" : "tag"}>
      <Icon name={tag.icon} />
      <span>{tag.text}</span>
    </span>
  );
}

/** The state of the viewer's latest call on a side: sending, placed, won, lost, refunded; null without one. */
function tagOf({ placing, viewerCalls, event, phase }: View, side: SideName, zone: string): Tag | null {
  const { pending } = placing;
  if (pending !== null && pending.spot.side === side && pending.spot.eventId === event?.id) {
    return { icon: "mark", text: pending.checking ? "Checking..." : "Sending", spent: false };
  }
  const latest = viewerCalls?.calls.findLast((call) => call.side === side);
  if (latest === undefined || viewerCalls === null) return null;
  if (phase === "resolved") return resultTag(viewerCalls, side);
  return { icon: "mark", text: `Placed ${formatClock(latest.placedAt, zone)}`, spent: false };
}

function resultTag(viewerCalls: NonNullable<View["viewerCalls"]>, side: SideName): Tag | null {
  const calls = viewerCalls.calls.filter((call) => call.side === side);
  const returned = calls.reduce((total, call) => total + (call.payoutCents ?? 0), 0);
  const outcome = calls.at(-1)?.outcome;
  if (outcome === "won") return { icon: "tick", text: `Won ${formatMoney(returned)}`, spent: false };
  if (outcome === "lost")
    return { icon: "cross", text: `Lost ${formatMoney(viewerCalls.wageredCents[side])}`, spent: true };
  return outcome === "refunded" ? { icon: "back", text: `${formatMoney(returned)} back`, spent: true } : null;
}
