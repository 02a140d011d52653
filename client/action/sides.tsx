import type { MouseEvent, RefObject } from "react";
import type { Side as SideName } from "#db/lists/spots.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { SpotView } from "#src/spots/schemas.ts";
import { useServerTime } from "../clock.ts";
import { formatCount } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import { Icon } from "../ui/icon.tsx";
import { formatMoney, formatShortMoney } from "../ui/money.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import { estimateCents } from "./estimate.ts";
import { PLACE_FORM } from "./forms.tsx";
import { SideTag } from "./side-tag.tsx";
import { useView, type View } from "./view.ts";

const LONG_LABEL = 8;
const LONG_ESTIMATE = 20;

/** The two sides. True is always left, False always right. */
export function Sides({ group }: { group: RefObject<HTMLDivElement | null> }) {
  return (
    <div className="sides" role="radiogroup" aria-label="You think" ref={group}>
      <SideButton side="true" />
      <SideButton side="false" />
    </div>
  );
}

function SideButton({ side }: { side: SideName }) {
  const view = useView();
  const { availableCents } = useWallet();
  const text = useSideText(view, side);
  const spot = view.event?.spots.find((each) => each.side === side);
  const label = spot?.label ?? (side === "true" ? "True" : "False");
  const long = label.length > LONG_LABEL ? "long" : undefined;
  const mine = isMine(view, side);
  const press = (click: MouseEvent) => {
    click.preventDefault();
    if (spot !== undefined) placeCall(view, spot, availableCents);
  };
  return (
    <button
      className={sideClass(view, side)}
      type="submit"
      form={PLACE_FORM}
      name="spot_id"
      value={spot?.id}
      role="radio"
      aria-checked={mine}
      aria-disabled={!view.playable}
      aria-label={`${side === "true" ? "You think " : ""}${label}. ${text}`}
      onClick={press}
    >
      <Icon name={side} />
      <span className="label" data-len={long}>
        <small>{side === "true" ? "You think" : "\u00a0"}</small>
        <span>{label}</span>
      </span>
      <span className="est">{text}</span>
      <SideTag side={side} />
    </button>
  );
}

/** Places the call, if calls are taken and the balance covers the wager. */
function placeCall({ playable, placing, wager }: View, spot: SpotView, availableCents: number): void {
  if (!playable) return;
  if (wager.cents > availableCents) placing.refuse("Your available balance does not cover this wager.");
  else void placing.place(spot, wager.cents);
}

/** The text below the label: the estimate while calls are taken, else why they are not. */
function useSideText(view: View, side: SideName): string {
  const { event, phase, data } = view;
  const opensAtMs = Date.parse(event?.opensAt ?? "");
  const opensIn = useServerTime(
    (nowMs) => (phase === "visible" && Number.isFinite(opensAtMs) ? minutes(opensAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (phase === "visible") return opensIn === "" ? "Opens soon" : `Opens in ${opensIn}`;
  if (event !== null && view.playable) return estimateText(event, side, view.wager.cents);
  if (event !== null && phase === "resolved") return resultText(event, side);
  return closedText(view, side);
}

function estimateText(event: EventView, side: SideName, wagerCents: number): string {
  const estimate = `est. ${formatMoney(estimateCents(event.pool, side, wagerCents))}`;
  const text = `${formatShortMoney(wagerCents)} → ${estimate}`;
  return text.length > LONG_ESTIMATE ? estimate : text;
}

function closedText({ phase, offline, watching, viewerCalls }: View, side: SideName): string {
  if (viewerCalls !== null && viewerCalls.wageredCents[side] > 0) return "Your call stands";
  if (offline) return "Offline";
  if (watching && (phase === "open" || phase === "closing")) return "Play to call it";
  if (phase === "closed" || phase === "locking") return "Closed";
  return phase === "paused" ? "Paused" : "Not open";
}

function resultText(event: EventView, side: SideName): string {
  if (event.voided) return "Called off";
  const spot = event.spots.find((each) => each.side === side);
  if (String(event.result) === side) return "The result";
  return `Called by ${formatCount(spot?.callsCount ?? 0)}`;
}

function sideClass(view: View, side: SideName): string {
  if (view.phase === "resolved" && view.event !== null) {
    return String(view.event.result) === side ? `side ${side} mine-side` : `side ${side}`;
  }
  if (isMine(view, side)) return `side ${side} mine-side`;
  const taken = view.placing.pending !== null || (view.viewerCalls?.calls.length ?? 0) > 0;
  return taken && view.playable ? `side ${side} quiet` : `side ${side}`;
}

/** True for the side of the call being sent, else for the side of the newest call. */
function isMine({ placing, viewerCalls, event }: View, side: SideName): boolean {
  const { pending } = placing;
  if (pending !== null && pending.spot.eventId === event?.id) return pending.spot.side === side;
  return viewerCalls?.latest?.side === side;
}
