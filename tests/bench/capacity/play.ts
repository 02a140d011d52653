import { isNull } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { outbox } from "#db/schema/outbox.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { openEvent } from "#src/events/open-event.ts";
import { publishEvent } from "#src/events/publish-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { sessionStream } from "#src/streams/broadcast.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";
import { buildDraft, readSpots } from "#tests/support/build.ts";
import { FROM } from "../overload-contract.ts";
import type { Player } from "./crowd.ts";
import { headBytesOf } from "./page-costs.ts";
import type { Product } from "./product.ts";

/** After it all messages of a moment have been sent: the leaders come once a second. */
const AFTERWARDS_MS = 1_500;
const ASK_EVERY_MS = 250;
const OPEN_SECONDS = 1_800;

/** An event that takes calls. */
export type OpenEvent = { id: number; spotIds: number[] };

/** Publishes and opens an event of a session. */
export async function openNext({ deps }: Product, sessionId: number): Promise<OpenEvent> {
  const { id } = await buildDraft(deps, { sessionId, durationSeconds: OPEN_SECONDS });
  await publishEvent(deps, { eventId: id, actor: null });
  await openEvent(deps, { eventId: id, actor: null });
  return { id, spotIds: Object.values(await readSpots(deps, id)).map((spot) => spot.id) };
}

/** Closes an event, decides it, and waits until the worker has paid it and all its messages are sent. */
export async function finish(product: Product, { id: eventId }: OpenEvent): Promise<void> {
  const { deps } = product;
  await closeEvent(deps, { eventId, actor: null });
  await resolveEvent(deps, { eventId, actor: null, result: "true" });
  const { db } = deps.pool;
  while ((await listUnpaidSettlements(db, [eventId])).length > 0) await Bun.sleep(ASK_EVERY_MS);
  await untilBroadcast(product);
  await Bun.sleep(AFTERWARDS_MS);
}

/** Waits until all facts are broadcast. It asks seldom, because its own questions are measured too. */
export async function untilBroadcast({ deps }: Product): Promise<void> {
  while ((await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) > 0) await Bun.sleep(ASK_EVERY_MS);
}

/** How many messages the session's stream has had. */
export async function messagesOf({ deps }: Product, sessionId: number): Promise<number> {
  return (await findStreamOffsets(deps.redis, [sessionStream(sessionId)]))[0]?.offset ?? 0;
}

/** Places calls at a steady rate, each by the next player, over HTTP. @returns the bytes of all answers. */
export async function placeCalls(
  { web }: Product,
  { event, players }: { event: OpenEvent; players: readonly Player[] },
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  const place = async (_: unknown, index: number) => {
    await Bun.sleep(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    const response = await fetch(`${web.origin}/api/v1/calls`, {
      method: "POST",
      headers: {
        ...players[index % players.length]?.credentials,
        [FROM]: `10.1.${(index >> 8) & 255}.${index & 255}`,
        accept: "application/json",
        "content-type": "application/json",
      },
      body: JSON.stringify({ call: { spot_id: event.spotIds[index % 2], wager: 0.01 } }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`a call was not placed: ${response.status} ${text}`);
    bytes += text.length + headBytesOf(response);
  };
  await Promise.all(Array.from({ length: Math.round(perSecond * seconds) }, place));
  return bytes;
}
