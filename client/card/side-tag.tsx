import * as texts from "#client/events/action-texts.ts";
import { useView, type View } from "#client/events/view.ts";
import type { Side } from "#db/lists/spots.ts";
import { formatClock } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

type Tag = { icon: IconName; text: string; spent: boolean };

/** The state of the viewer's latest call on a side: sending, placed, won, lost, refunded; null without one. */
export function useTag(side: Side): Tag | null {
  const zone = useTimeZone();
  return tagOf(useView(), side, zone);
}

/** The stamp with it. */
export function SideTag({ tag }: { tag: Tag }) {
  return (
    <span className={tag.spent ? "tag spent" : "tag"}>
      <Icon name={tag.icon} />
      <span>{tag.text}</span>
    </span>
  );
}

function tagOf({ placing, viewerCalls, event, phase }: View, side: Side, zone: string): Tag | null {
  const { pending } = placing;
  if (pending !== null && pending.spot.side === side && pending.spot.eventId === event?.id) {
    return { icon: "mark", text: pending.checking ? texts.checking : texts.sending, spent: false };
  }
  const latest = viewerCalls?.calls.findLast((call) => call.side === side);
  if (latest === undefined || viewerCalls === null) return null;
  if (phase === "resolved") return resultTag(viewerCalls, side);
  return { icon: "mark", text: texts.placed(preciseClock(latest.placedAt, zone)), spent: false };
}

function resultTag(viewerCalls: NonNullable<View["viewerCalls"]>, side: Side): Tag | null {
  const calls = viewerCalls.calls.filter((call) => call.side === side);
  const returned = calls.reduce((total, call) => total + (call.payoutCents ?? 0), 0);
  const outcome = calls.at(-1)?.outcome;
  if (outcome === "won") return { icon: "tick", text: texts.won(returned), spent: false };
  if (outcome === "lost")
    return { icon: "cross", text: texts.lost(viewerCalls.wageredCents[side]), spent: true };
  return outcome === "refunded" ? { icon: "back", text: texts.refunded(returned), spent: true } : null;
}

/** "20:14:03.4": tenths of a second, truncated. */
function preciseClock(at: string, zone: string): string {
  return `${formatClock(at, zone)}.${Math.floor((Date.parse(at) % 1_000) / 100)}`;
}
