import type { MouseEvent, RefObject } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { Side as SideName } from "#src/spots/contract.ts";
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
  const words = useSideWords(view, side);
  const spot = view.event?.spots.find((one) => one.side === side);
  const label = spot?.label ?? (side === "true" ? "True" : "False");
  const long = label.length > LONG_LABEL ? "long" : undefined;
  const mine = isMine(view, side);
  const press = (click: MouseEvent) => {
    click.preventDefault();
    if (spot !== undefined) callIt(view, spot, availableCents);
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
      aria-label={`${side === "true" ? "You think " : ""}${label}. ${words}`}
      onClick={press}
    >
      <Icon name={side} />
      <span className="label" data-len={long}>
        <small>{side === "true" ? "You think" : "\u00a0"}</small>
        <span>{label}</span>
      </span>
      <span className="est">{words}</span>
      <SideTag side={side} />
    </button>
  );
}

/** Places the call, or leaves it where the sides take none or the balance does not reach. */
function callIt({ playable, placing, wager }: View, spot: SpotView, availableCents: number): void {
  if (!playable) return;
  if (wager.cents > availableCents) placing.refuse("Your available balance does not cover this wager.");
  else void placing.place(spot, wager.cents);
}

/** What stands below the label: the estimate while calls are taken, else why not. */
function useSideWords(view: View, side: SideName): string {
  const { event, phase, data } = view;
  const opensAtMs = Date.parse(event?.opensAt ?? "");
  const opensIn = useServerTime(
    (nowMs) => (phase === "visible" && Number.isFinite(opensAtMs) ? minutes(opensAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (phase === "visible") return opensIn === "" ? "Opens soon" : `Opens in ${opensIn}`;
  if (event !== null && view.playable) return estimateWords(event, side, view.wager.cents);
  if (event !== null && phase === "resolved") return resultWords(event, side);
  return standWords(view, side);
}

function estimateWords(event: EventView, side: SideName, wagerCents: number): string {
  const estimate = `est. ${formatMoney(estimateCents(event.pool, side, wagerCents))}`;
  const words = `${formatShortMoney(wagerCents)} → ${estimate}`;
  return words.length > LONG_ESTIMATE ? estimate : words;
}

function standWords({ phase, offline, watching, standing }: View, side: SideName): string {
  if (standing !== null && standing.wageredCents[side] > 0) return "Your call stands";
  if (offline) return "Offline";
  if (watching && (phase === "open" || phase === "closing")) return "Play to call it";
  if (phase === "closed" || phase === "locking") return "Closed";
  return phase === "paused" ? "Paused" : "Not open";
}

function resultWords(event: EventView, side: SideName): string {
  if (event.voided) return "Called off";
  const spot = event.spots.find((one) => one.side === side);
  if (String(event.result) === side) return "The result";
  return `Called by ${formatCount(spot?.callsCount ?? 0)}`;
}

function sideClass(view: View, side: SideName): string {
  if (view.phase === "resolved" && view.event !== null) {
    return String(view.event.result) === side ? `side ${side} mine-side` : `side ${side}`;
  }
  if (isMine(view, side)) return `side ${side} mine-side`;
  const taken = view.placing.pending !== null || (view.standing?.calls.length ?? 0) > 0;
  return taken && view.playable ? `side ${side} quiet` : `side ${side}`;
}

/** The side of a call on its way, else of the newest call. */
function isMine({ placing, standing, event }: View, side: SideName): boolean {
  const { pending } = placing;
  if (pending !== null && pending.spot.eventId === event?.id) return pending.spot.side === side;
  return standing?.latest?.side === side;
}
