import { type MouseEvent, type ReactNode, type RefObject, useContext } from "react";
import type { Side as SideName } from "#db/lists/spots.ts";
import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { kept } from "../kept.ts";
import { formatCount } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import { Icon } from "../ui/icon.tsx";
import { formatMoney, formatShortMoney } from "../ui/money.ts";
import { estimateCents } from "./estimate.ts";
import { PLACE_FORM } from "./forms.tsx";
import { SideTag, useTag } from "./side-tag.tsx";
import { HandlersContext, useView, type View } from "./view.ts";

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
  const text = useSideText(view, side);
  const spot = view.event?.spots.find((each) => each.side === side);
  const tag = useTag(side);
  return (
    <SideFace
      side={side}
      className={sideClass(view, side)}
      spotId={spot?.id}
      label={spot?.label ?? (side === "true" ? "True" : "False")}
      text={text}
      mine={isMine(view, side)}
      playable={view.playable}
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
  text: string;
  mine: boolean;
  playable: boolean;
  /** The tag of the viewer's call. Without one the button is the same for everybody. */
  children: ReactNode;
};

const SideFace = kept(function SideFace({ side, className, label, text, ...props }: SideFaceProps) {
  const { call } = useContext(HandlersContext);
  const long = label.length > LONG_LABEL ? "long" : undefined;
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
      aria-label={`${side === "true" ? "You think " : ""}${label}. ${text}`}
      onClick={press}
    >
      <Icon name={side} />
      <span className="label" data-len={long}>
        <small>{side === "true" ? "You think" : "\u00a0"}</small>
        <span>{label}</span>
      </span>
      <span className="est">{text}</span>
      {props.children}
    </button>
  );
});

/** Places a call, if calls are taken and the balance covers the wager. */
export function placeCall(
  { event, playable, placing, wager }: View,
  side: SideName,
  availableCents: number,
): void {
  const spot = event?.spots.find((each) => each.side === side);
  if (!playable || spot === undefined) return;
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
