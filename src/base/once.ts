import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { type Database, inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { invalid, notFound, type Refusal } from "./refusal.ts";

// Decision: the key of a request is written in the transaction that does its work, with what a repeated request needs to be
// answered. So two processes, a crash before the commit and one before the answer all end in one piece of work.

/** A request with an Idempotency-Key. Keys are unique per actor and purpose. */
export type KeyedRequest = {
  actor: { id: number };
  /** What is requested: an endpoint. */
  purpose: string;
  key: string;
  /** The request's content. The same key with other content is refused. Passwords in it are left out. */
  request: object;
  /** Called if an earlier request with this key has done the work. */
  onReplay?: () => void;
};
/** Null: a request without a key, which is done each time. */
export type MaybeKeyed = KeyedRequest | null;

/** The same request with another purpose, actor or content. */
export function rekey(keyed: MaybeKeyed, changes: Partial<KeyedRequest>): MaybeKeyed {
  return keyed === null ? null : { ...keyed, ...changes };
}

/** The advisory lock's class. Requests with the same key of the same browser run one at a time. */
const VISITOR_LOCK = 7704;

export const madeRow = v.object({ id: v.number() });
/** The outcome of work that a repeated request finds by itself. */
export const nothingMore = v.object({});

/**
 * Runs work once per Idempotency-Key. A repeated request waits for the first one and gets its outcome; after a crash or a refusal
 * the key is free again. Calls, payments and messages do not need this: their rows hold their keys.
 * @param outcomeSchema the schema of the outcome, which is stored as JSON for repeated requests.
 * @param work does the work and returns its outcome.
 * @throws Refusal 422 if the key belongs to another request, and whatever the work refuses.
 */
export async function once<S extends v.GenericSchema>(
  tx: Transaction,
  keyed: MaybeKeyed,
  outcomeSchema: S,
  work: () => Promise<v.InferOutput<S>>,
): Promise<v.InferOutput<S>> {
  if (keyed === null) return work();
  const { actor, purpose, key } = keyed;
  // The insert waits for a running transaction with the same key.
  const inserted = await tx
    .insert(idempotencyKeys)
    .values({ userId: actor.id, purpose, key, requestHash: hashOf(keyed) })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (inserted.length > 0) {
    const outcome = await work();
    await tx.update(idempotencyKeys).set({ outcome }).where(isOf(keyed));
    return outcome;
  }
  const found = await findOutcome(tx, keyed, outcomeSchema);
  if (found === null) throw new Error("an idempotency key exists, but its row was not found");
  return found;
}

/**
 * Makes a user once per Idempotency-Key of a signed-out browser. Its secret is part of the key, so that nobody else's key leads to
 * this user.
 * @returns the user's id.
 */
export async function onceForVisitor(
  tx: Transaction,
  keyed: MaybeKeyed,
  visitorSecret: string,
  make: () => Promise<number>,
): Promise<number> {
  if (keyed === null) return make();
  const { purpose } = keyed;
  const key = createHash("sha256").update(`${visitorSecret}:${keyed.key}`).digest("base64url");
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${VISITOR_LOCK}::int, hashtext(${key}))`);
  const [earlier] = await tx
    .select({ id: idempotencyKeys.userId })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.key, key), eq(idempotencyKeys.purpose, purpose)));
  const actor = earlier ?? { id: await make() };
  await once(tx, { ...keyed, key, actor }, nothingMore, () => Promise.resolve({}));
  return actor.id;
}

/** Makes a row once per Idempotency-Key, in a transaction of its own. @returns its id. */
export async function makeOnce(
  db: Database,
  keyed: MaybeKeyed,
  make: (tx: Transaction) => Promise<{ id: number }>,
): Promise<number> {
  const { id } = await inTransaction(db, (tx) => once(tx, keyed, madeRow, () => make(tx)));
  return id;
}

/** The outcome of an earlier request with this key; null if there was none. */
export async function findOutcome<S extends v.GenericSchema>(
  db: Queryable,
  keyed: MaybeKeyed,
  outcomeSchema: S,
): Promise<v.InferOutput<S> | null> {
  const [existing] = keyed === null ? [] : await db.select().from(idempotencyKeys).where(isOf(keyed));
  if (keyed === null || existing === undefined) return null;
  if (existing.requestHash !== hashOf(keyed)) throw keyReused("request");
  keyed.onReplay?.();
  return v.parse(outcomeSchema, existing.outcome);
}

/** The row that a request has made; 404 if it was removed since. */
export function stillThere<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}

const isOf = ({ actor, purpose, key }: KeyedRequest) =>
  and(
    eq(idempotencyKeys.userId, actor.id),
    eq(idempotencyKeys.purpose, purpose),
    eq(idempotencyKeys.key, key),
  );

/** Without passwords, which a fast hash does not protect. */
const withoutPasswords = (name: string, value: unknown) => (/password/i.test(name) ? undefined : value);
const hashOf = ({ request }: KeyedRequest) =>
  createHash("sha256").update(JSON.stringify(request, withoutPasswords)).digest("base64url");

/** 422: this key was used for another request before. */
export function keyReused(purpose: string): Refusal {
  const detail = `This Idempotency-Key belongs to another ${purpose} of yours. Send a new key with a new ${purpose}.`;
  return invalid({ idempotencyKey: ["has already been taken"] }, { code: "idempotency_key_reused", detail });
}
