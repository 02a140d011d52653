import { memo, type MouseEvent, type ReactNode, type RefObject } from "react";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import * as texts from "#client/events/action-texts.ts";
import { couldPayCents, isUnopposed } from "#client/events/estimate.ts";
import { type Purse, usePurse } from "#client/events/house-dollar.ts";
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
import { nothingToWager, wagerFault, wagerLimits } from "#client/events/wager-fault.ts";
import type { Side as SideName } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { guardWhenGone } from "../base/browser/click-guard.ts";
import { minutes } from "../base/format/countdown.ts";
import { formatMoney, formatShortMoney } from "../base/format/money.ts";
import { formatClock } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useServerTime } from "../base/live/clock.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { PLACE_FORM } from "./forms.tsx";

const youThink = "You think";

const LONG_LABEL = 8;
/** So many letters fit a side of a phone. */
const TEXT_MAX = 15;

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
      <SideButton side="false" />
    </div>
  );
}

function SideButton({ side }: { side: SideName }) {
  const view = useView();
  const nothing = nothingToWager(wagerLimits(view, usePurse(view).availableCents));
  const text = useSideText(view, { side, nothing });
  const spot = view.event?.spots.find((each) => each.side === side);
  const tag = useTag(side);
  const called = useCalledSide(view);
  const labels = view.event?.spots.map(({ label }) => label) ?? [];
  return (
    <SideFace
      side={side}
      className={sideClass(view, side, called)}
      spotId={spot?.id}
      label={spot?.label ?? (side === "true" ? "True" : "False")}
      // Both labels have the same size.
      long={labels.some((label) => label.length > LONG_LABEL)}
      text={text}
      mine={called === side}
      playable={view.playable && nothing === null && !view.placing.resting}
    >
      {tag === null ? null : <SideTag tag={tag} />}
    </SideFace>
  );
}

type SideFaceProps = {
  side: SideName;
  className: string;
  spotId: number | undefined;
  label: string;
  long: boolean;
  text: string;
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
  return (
    <button
      className={className}
      type="submit"
      form={PLACE_FORM}
      name="spot_id"
      value={props.spotId}
      role="radio"
      aria-checked={props.mine}
      aria-disabled={!props.playable}
      aria-keyshortcuts={side === "true" ? "1" : "2"}
      aria-label={side === "true" ? `You think ${label}. ${text}` : `${label}. ${text}`}
      onClick={press}
      ref={guardWhenGone}
    >
      <Icon name={side} />
      <span className="label" data-len={props.long ? "long" : undefined}>
        <small>{side === "true" ? youThink : "\u00a0"}</small>
        <span>{label}</span>
      </span>
      <span className="est">{text}</span>
      {props.children}
    </button>
  );
});

/** Places a call of the amount that is on the screen, if calls are taken. An amount that cannot be wagered is refused beside its field. */
export function placeCall(view: View, side: SideName, { availableCents, onTheHouse }: Purse): void {
  const { event, playable, closeWarning, placing } = view;
  const spot = event?.spots.find((each) => each.side === side);
  if (!playable && closeWarning !== "") placing.refuse(closeWarning);
  if (!playable || spot === undefined) return;
  readField();
  const amount = amountOf(readWager());
  const fault = wagerFault(amount, wagerLimits(view, availableCents));
  if (fault !== null || typeof amount !== "number") return refuseWager();
  endTyping();
  void placing.place(spot, amount, onTheHouse);
}

/** The field may show what no event has reported: its text was set by an extension, or was typed before the page was live. */
function readField(): void {
  const form = document.querySelector<HTMLFormElement>(`#${PLACE_FORM}`);
  const text = form === null ? null : new FormData(form).get("wager");
  if (typeof text === "string" && text !== fieldText(readWager())) typeWager(text);
}

/**
 * The text below the label: the estimate while calls are taken, else why they are not.
 * @param nothing why this player can wager no amount at all; null if one can be wagered.
 */
function useSideText(view: View, { side, nothing }: { side: SideName; nothing: string | null }): string {
  const { event, phase, data } = view;
  const amount = amountOf(useWager());
  const opensAtMs = Date.parse(event?.opensAt ?? "");
  const opensIn = useServerTime(
    (nowMs) => (phase === "visible" && Number.isFinite(opensAtMs) ? minutes(opensAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (phase === "visible") return opensIn === "" ? "Opens soon" : `Opens in ${opensIn}`;
  if (event !== null && view.playable) {
    if (nothing !== null) return nothing;
    return isWager(amount) ? payText(view, event.pool, side, amount) : "Check amount";
  }
  if (event !== null && phase === "resolved") return resultText(event, side);
  return closedText(view, side);
}

/**
 * What the next wager could pay. On a called side it is what all of the player's wagers there could pay with it: the slip says the same
 * once it is placed.
 */
function payText({ viewerCalls }: View, pool: EventView["pool"], side: SideName, moreCents: number): string {
  const ownCents = viewerCalls?.wageredCents[side] ?? 0;
  if (isUnopposed(pool, side)) return pool.totalCents === 0 ? "First call" : "Nobody against";
  const money = formatMoney(couldPayCents(pool, side, { ownCents, moreCents }));
  const wager = formatShortMoney(moreCents);
  const [full, short] =
    ownCents > 0
      ? [texts.morePays(wager, money), texts.plusPays(wager, money)]
      : [`${wager} ${texts.couldPay(money)}`, texts.couldPay(money)];
  return full.length > TEXT_MAX ? short : full;
}

function closedText(view: View, side: SideName): string {
  const { phase, offline, watching, unread, viewerCalls, closeWarning } = view;
  if (unread) return "New question";
  if (viewerCalls !== null && viewerCalls.wageredCents[side] > 0) return "Your call stands";
  if (offline) return texts.offline;
  if (closeWarning !== "") return "Closed already";
  if (watching && (phase === "open" || phase === "closing")) return "Play to call it";
  if (phase === "closed" || phase === "locking") return texts.closed;
  return phase === "paused" ? words.paused : "Not open";
}

function resultText(event: EventView, side: SideName): string {
  if (event.voided) return words.calledOff;
  const spot = event.spots.find((each) => each.side === side);
  if (String(event.result) === side) return "The result";
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

/** The state of the viewer's latest call on a side: sending, placed, won, lost, refunded; null without one. */
function useTag(side: SideName): Tag | null {
  const zone = useTimeZone();
  return tagOf(useView(), side, zone);
}

/** The stamp with it. */
function SideTag({ tag }: { tag: Tag }) {
  return (
    <span className={tag.spent ? "tag spent" : "tag"}>
      <Icon name={tag.icon} />
      <span>{tag.text}</span>
    </span>
  );
}

function tagOf({ placing, viewerCalls, event, phase }: View, side: SideName, zone: string): Tag | null {
  const { pending } = placing;
  if (pending !== null && pending.spot.side === side && pending.spot.eventId === event?.id) {
    return { icon: "mark", text: pending.checking ? "Checking..." : "Sending", spent: false };
  }
  const latest = viewerCalls?.calls.findLast((call) => call.side === side);
  if (latest === undefined || viewerCalls === null) return null;
  if (phase === "resolved") return resultTag(viewerCalls, side);
  return { icon: "mark", text: `Placed ${preciseClock(latest.placedAt, zone)}`, spent: false };
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

/** "20:14:03.4": tenths of a second, truncated. */
function preciseClock(at: string, zone: string): string {
  return `${formatClock(at, zone)}.${Math.floor((Date.parse(at) % 1_000) / 100)}`;
}
