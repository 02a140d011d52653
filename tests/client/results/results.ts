import type { News, NewsSource } from "#client/results/collect-news.ts";
import { firstMemory } from "#client/results/use-announcing.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildCall, buildEvent, inSeconds, NOW_MS } from "../events/action-states.ts";

/** A resolved event that both sides had called. */
export function resolvedEvent(id: number, changes: Partial<EventView> = {}): EventView {
  return buildEvent({
    id,
    title: `Question ${id}?`,
    state: "resolved",
    result: true,
    pool: poolOf(500, 500),
    callsCount: 2,
    resolvedAt: inSeconds(-1),
    updatedAt: inSeconds(-1),
    ...changes,
  });
}

/** The viewer's paid call of $5. */
export function paidCall(eventId: number, payoutCents: number, changes: Partial<CallView> = {}): CallView {
  const settled = payoutCents > 500 ? "won" : "lost";
  const outcome = payoutCents === 500 ? "refunded" : settled;
  return buildCall({
    id: eventId * 100,
    eventId,
    state: "resolved",
    outcome,
    payoutCents,
    netCents: payoutCents - 500,
    ...changes,
  });
}

export const won = (id: number) => resolvedEvent(id, { myCalls: [paidCall(id, 804)] });

export function refundNotification(id: number, changes: Partial<NotificationView> = {}): NotificationView {
  return {
    id,
    kind: "refund",
    title: "$5.00 back: the host skipped it",
    body: "Question 9?",
    url: "/sessions/derby/history/900",
    readAt: null,
    createdAt: inSeconds(-1),
    ...changes,
  };
}

/** The memory of a device that has not shown anything yet. */
export function source(changes: Partial<NewsSource>): NewsSource {
  return {
    events: [],
    ownCalls: [],
    notifications: [],
    memory: firstMemory([], 0),
    path: "/sessions/derby",
    nowMs: NOW_MS,
    ...changes,
  };
}

/** One line for each of the news: where it is announced, and in what words. */
export function wordsOf(news: readonly News[]): string[] {
  return news.map(({ place, lead, about }) => `${place}: ${lead} · ${about}`);
}
