import { createHash } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import type { Deps } from "./deps.ts";
import { invalid, type Refusal } from "./refusal.ts";

/** One thing that somebody asks for, under a key of their own. */
export type Keyed = {
  actor: { id: number };
  /** What it is, as a refusal names it: "announcement". */
  purpose: string;
  idempotencyKey: string;
  /** All that makes it this one and no other. */
  request: object;
};

const KEPT = "1 day";

/**
 * Does something once under its key, in the transaction that does it: whoever asks for the same again, even at the same
 * time, is told what came of it. For what keeps no row that would know its key; calls and payments have one.
 * @param work answers what there is to say of it again, in this shape.
 * @throws Refusal 422 for a key that belongs to another request; whatever the work refuses, and then the key is free again.
 */
export async function once<S extends v.GenericSchema>(
  tx: Transaction,
  { actor, purpose, idempotencyKey: key, request }: Keyed,
  shape: S,
  work: () => Promise<v.InferOutput<S>>,
): Promise<{ outcome: v.InferOutput<S>; replayed: boolean }> {
  const requestHash = createHash("sha256").update(JSON.stringify(request)).digest("base64url");
  const named = { userId: actor.id, purpose, key };
  // Waits for whoever is at it under the same key.
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ ...named, requestHash })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  const ofKey = and(
    eq(idempotencyKeys.userId, actor.id),
    eq(idempotencyKeys.purpose, purpose),
    eq(idempotencyKeys.key, key),
  );
  if (taken.length > 0) {
    const outcome = await work();
    await tx.update(idempotencyKeys).set({ outcome }).where(ofKey);
    return { outcome, replayed: false };
  }
  const [known] = await tx.select().from(idempotencyKeys).where(ofKey);
  if (known === undefined) throw new Error("a key that is taken is there");
  if (known.requestHash !== requestHash) throw keyReused(purpose);
  return { outcome: v.parse(shape, known.outcome), replayed: true };
}

/** Removes the keys that nobody sends again any more. */
export async function forgetKeys({ pool }: Pick<Deps, "pool">): Promise<void> {
  const old = sql`clock_timestamp() - ${KEPT}::interval`;
  await pool.db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, old));
}

/** 422: under this key something else was asked for before. */
export function keyReused(what: string): Refusal {
  const detail = `This Idempotency-Key belongs to another ${what} of yours.`;
  return invalid({ idempotencyKey: ["has already been taken"] }, { code: "idempotency_key_reused", detail });
}
