import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { ago, deleteOldRows } from "./delete-old-rows.ts";
import type { Deps } from "./deps.ts";
import { invalid, type Refusal } from "./refusal.ts";

/** A request with an Idempotency-Key. Keys are unique per actor and purpose. */
type IdempotentRequest = {
  actor: { id: number };
  /** What is requested, as a refusal names it: "announcement". */
  purpose: string;
  idempotencyKey: string;
  /** The request's content. The same key with other content is refused. */
  request: object;
};

const KEY_LIFETIME_DAYS = 1;

/**
 * Runs work once per Idempotency-Key. The key is stored in the work's own transaction, so a repeated request waits for the
 * first one and gets its outcome, and after a crash or a refusal the key is free again. Calls and payments do not need this:
 * their rows hold their keys.
 * @param outcomeSchema the schema of the outcome, which is stored as JSON for repeated requests.
 * @param work does the work and returns its outcome.
 * @returns the outcome, and whether it was replayed from an earlier request.
 * @throws Refusal 422 if the key belongs to another request, and whatever the work refuses.
 */
export async function once<S extends v.GenericSchema>(
  tx: Transaction,
  { actor, purpose, idempotencyKey: key, request }: IdempotentRequest,
  outcomeSchema: S,
  work: () => Promise<v.InferOutput<S>>,
): Promise<{ outcome: v.InferOutput<S>; replayed: boolean }> {
  const requestHash = createHash("sha256").update(JSON.stringify(request)).digest("base64url");
  const named = { userId: actor.id, purpose, key };
  // The insert waits for a running transaction with the same key.
  const inserted = await tx
    .insert(idempotencyKeys)
    .values({ ...named, requestHash })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  const ofKey = and(
    eq(idempotencyKeys.userId, actor.id),
    eq(idempotencyKeys.purpose, purpose),
    eq(idempotencyKeys.key, key),
  );
  if (inserted.length > 0) {
    const outcome = await work();
    await tx.update(idempotencyKeys).set({ outcome }).where(ofKey);
    return { outcome, replayed: false };
  }
  const [existing] = await tx.select().from(idempotencyKeys).where(ofKey);
  if (existing === undefined) throw new Error("an idempotency key exists, but its row was not found");
  if (existing.requestHash !== requestHash) throw keyReused(purpose);
  return { outcome: v.parse(outcomeSchema, existing.outcome), replayed: true };
}

/** Deletes keys that are too old to be sent again. */
export async function pruneIdempotencyKeys({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: idempotencyKeys,
    old: sql`${idempotencyKeys.createdAt} < ${ago(KEY_LIFETIME_DAYS, "days")}`,
  });
}

/** 422: this key was used for another request before. */
export function keyReused(purpose: string): Refusal {
  const detail = `This Idempotency-Key belongs to another ${purpose} of yours.`;
  return invalid({ idempotencyKey: ["has already been taken"] }, { code: "idempotency_key_reused", detail });
}
