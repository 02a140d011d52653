import { say } from "#src/http/contract.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { formatChange } from "../base/format/money.ts";
import { streakText } from "../calls/streak.ts";
import { type ViewerCalls, viewerCallsOn } from "../calls/viewer-calls.ts";
import type { KnownCall } from "../events/known-calls.ts";
import { refundCause, resultLabel, resultOf } from "../events/result-label.ts";
import type { IconName } from "../ui/icon.tsx";
import type { Memory, ShownResult } from "./memory.ts";
import { resultTexts } from "./result-texts.ts";

/** Older results are history, and are not announced any more. */
export const ANNOUNCED_WITHIN_MS = 30 * 60_000;
/** More results at once are announced in one sentence. */
export const ONE_BY_ONE_MAX = 3;

/** Something that the viewer has not seen on this device. */
export type News = {
  /** Of the event or the notification. */
  key: string;
  /** Another version of the same key replaces it: the result was corrected meanwhile. */
  version: string;
  /** Results of the viewer's own calls are announced in the row of the slip, all others in the ticker. */
  place: "row" | "ticker";
  icon: IconName;
  /** What was won, which the row shows so that it is seen from a metre; null for all else. */
  win: { amount: string; words: string } | null;
  /** "You called it: +$3.04" */
  lead: string;
  /** The question; empty where the lead says all. */
  about: string;
  /** Screen readers announce it at once. */
  urgent: boolean;
  /** The page that explains it; null for none. */
  to: string | null;
  /** What the device remembers when it has shown this. */
  covers: readonly Covered[];
};
export type Covered =
  | { kind: "result"; eventId: number; shown: ShownResult }
  | { kind: "notification"; id: number };

export type NewsSource = {
  events: readonly EventView[];
  /** Also those on events that are gone. */
  ownCalls: readonly KnownCall[];
  notifications: readonly NotificationView[];
  memory: Memory;
  /** Of the session: `/sessions/derby`. */
  path: string;
  /** The server's time, in milliseconds. */
  nowMs: number;
};

/** What is new to this device: results that it has not shown, or shown differently, and refunds of actions that are gone. */
export function collectNews(source: NewsSource): readonly News[] {
  const ofResults = source.events
    .filter((event) => source.nowMs - Date.parse(event.updatedAt) < ANNOUNCED_WITHIN_MS)
    .toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt))
    .flatMap((event) => newsOfEvent(event, source) ?? []);
  return [...ofResults, ...source.notifications.toReversed().flatMap((row) => newsOfRefund(row, source))];
}

/** The news of the row, which are one if they are many. @param history the path of the viewer's calls; null for a guest. */
export function joinMany(news: readonly News[], history: string | null): readonly News[] {
  if (news.length <= ONE_BY_ONE_MAX) return news;
  const covers = news.flatMap((each) => each.covers);
  const nets = covers.map((each) => (each.kind === "result" ? (each.shown.netCents ?? 0) : 0));
  const netCents = nets.reduce((sum, net) => sum + net, 0);
  const summary: News = {
    key: "away",
    version: covers.length.toString(),
    place: "row",
    icon: "clock",
    win: null,
    lead: resultTexts.away({ count: news.length, netCents }),
    about: "",
    urgent: false,
    to: news.some(({ to }) => to !== null) ? history : null,
    covers,
  };
  return [summary];
}

/** An event's result as the viewer would be shown it now; null before the result, and before the viewer's calls are paid. */
export function resultToShow(event: EventView, memory: Memory): ShownResult | null {
  if (event.state !== "resolved") return null;
  const { calls, outcome } = viewerCallsOn(event);
  if (calls.length > 0 && outcome === null) return null;
  const result = resultOf(event);
  const known = knownOf(event, memory);
  const shown = { openedAtMs: openedAtMsOf(event), result, netCents: outcome?.netCents ?? null };
  if (known === undefined) return { ...shown, beforeCents: null };
  const isSame = known.result === result && known.netCents === shown.netCents;
  return { ...shown, beforeCents: isSame ? known.beforeCents : known.netCents };
}

/** What the device has shown of the event since it opened. */
function knownOf(event: EventView, { results }: Memory): ShownResult | undefined {
  const known = results.get(event.id);
  return known?.openedAtMs === openedAtMsOf(event) ? known : undefined;
}

function openedAtMsOf({ openedAt }: EventView): number {
  return openedAt === null ? 0 : Date.parse(openedAt);
}

/** "Corrected to No: $13.33 taken back, net -$5.00"; null if the device has shown no other result before. */
export function correctionText(event: EventView, { netCents, beforeCents }: ShownResult): string | null {
  if (netCents === null || beforeCents === null || beforeCents === netCents) return null;
  return resultTexts.corrected({
    label: resultOf(event) === "void" ? "void" : resultLabel(event),
    changeCents: netCents - beforeCents,
    netCents,
  });
}

function newsOfEvent(event: EventView, { events, memory, path }: NewsSource): News | null {
  const shown = resultToShow(event, memory);
  const before = knownOf(event, memory);
  if (shown === null || (before?.result === shown.result && before.netCents === shown.netCents)) return null;
  const own = viewerCallsOn(event);
  const streak = streakText(events, event);
  const announced =
    own.outcome === null ? neutral(event, before) : ownResult(event, own.outcome, { shown, streak });
  return {
    ...announced,
    key: `event ${event.id}`,
    version: `${shown.result} ${shown.netCents}`,
    place: own.outcome === null ? "ticker" : "row",
    about: event.title,
    urgent: event.voided,
    to: own.latest !== null ? `${path}/history/${own.latest.id}` : null,
    covers: [{ kind: "result", eventId: event.id, shown }],
  };
}

function ownResult(
  event: EventView,
  outcome: NonNullable<ViewerCalls["outcome"]>,
  { shown, streak }: { shown: ShownResult; streak: string },
): Pick<News, "icon" | "lead" | "win"> {
  const corrected = correctionText(event, shown);
  const win = null;
  if (corrected !== null) return { icon: "warning", lead: corrected, win };
  const { kind, stakeCents, netCents } = outcome;
  if (event.voided) return { icon: "none", lead: resultTexts.void(stakeCents, event.resultReason), win };
  switch (kind) {
    case "refunded":
      return { icon: "back", lead: resultTexts.refunded(stakeCents, refundCause(event)), win };
    case "even":
      return { icon: "back", lead: "Both ways: even", win };
    case "lost":
      return { icon: "cross", lead: resultTexts.lost(netCents), win };
    case "right":
      return { icon: "tick", lead: resultTexts.right(stakeCents, streak), win };
    case "won": {
      const shown = { amount: formatChange(netCents), words: resultTexts.wonShort(streak) };
      return { icon: "tick", lead: resultTexts.won(netCents, streak), win: shown };
    }
  }
}

function neutral(event: EventView, before: ShownResult | undefined): Pick<News, "icon" | "lead" | "win"> {
  const win = null;
  if (event.voided) return { icon: "none", lead: calledOffText(event), win };
  const label = resultLabel(event);
  if (before !== undefined) return { icon: "warning", lead: say`Corrected to ${label}`, win };
  const right = event.spots.find((spot) => spot.won === true)?.callsCount ?? 0;
  return { icon: "trophy", lead: resultTexts.neutral({ label, right, called: event.callsCount }), win };
}

function calledOffText({ resultReason, callsCount }: EventView): string {
  const back = callsCount === 0 ? "nobody had called it" : "all wagers were refunded";
  return `Called off: ${resultReason ?? back}`;
}

/** The refund of a call on an action that players do not see any more: it was skipped or reset, or the call was taken back. */
function newsOfRefund(
  { id, kind, url, title, body, readAt, createdAt }: NotificationView,
  { events, ownCalls, memory, path, nowMs }: NewsSource,
): News[] {
  const receipt = `${path}/history/`;
  if (kind !== "refund" || id <= memory.notificationId || readAt !== null) return [];
  if (url === null || !url.startsWith(receipt) || nowMs - Date.parse(createdAt) >= ANNOUNCED_WITHIN_MS)
    return [];
  // Of a listed call the event's result says the same, with its net.
  const callId = Number(url.slice(receipt.length));
  if (events.some(({ myCalls }) => myCalls.some((call) => call.id === callId))) return [];
  const eventId = ownCalls.find(({ call }) => call.id === callId)?.call.eventId;
  const news: News = {
    // While the card says that the event was skipped, this is the same.
    key: eventId === undefined ? `notification ${id}` : `event ${eventId}`,
    version: "1",
    place: "row",
    icon: "back",
    win: null,
    lead: title,
    about: body,
    urgent: false,
    to: url,
    covers: [{ kind: "notification", id }],
  };
  return [news];
}
