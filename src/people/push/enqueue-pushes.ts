import type { PushSource } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Fact } from "#src/base/outbox/write-fact.ts";

/** Adds a job for each fact of which players may want to hear while no page is open. Rejects while Redis is away. */
export async function enqueuePushes(
  queues: Pick<Deps["queues"], "fanOutPushes">,
  facts: readonly Fact[],
): Promise<void> {
  const sources = facts.map(sourceOf).filter((source) => source !== null);
  await Promise.all(sources.map((source) => queues.fanOutPushes(source)));
}

function sourceOf(fact: Fact): PushSource | null {
  if (fact.kind === "session_changed")
    return fact.change === "start" ? { about: "session", id: fact.sessionId } : null;
  if (fact.kind === "event_settled") {
    const { eventId: id, fromUserId, toUserId } = fact;
    return { about: "event", id, fromUserId, toUserId };
  }
  return fact.kind === "notifications_created" ? { about: "notifications", ids: fact.notificationIds } : null;
}
