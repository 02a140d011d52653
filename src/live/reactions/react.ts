import { and, eq, gt, sql } from "drizzle-orm";
import type { Logger } from "pino";
import * as v from "valibot";
import { type ReactionKind, reactionKinds } from "#db/lists/reactions.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { mutes } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { reactionsKey } from "#src/base/redis-keys.ts";
import { redisScript, runScript, TAKE_TURN_LUA } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcast } from "#src/base/streams/broadcast.ts";
import { forSession } from "#src/live/relay/address-message.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";

type Reaction = {
  viewer: Pick<Viewer, "id" | "roles">;
  sessionId: string;
  kind: ReactionKind;
};

/**
 * Adds a player's reaction to the counts that the session receives.
 * @throws Refusal 403 for players who have not joined the session or are muted in it; 404 for an unknown session; 409 for a
 *   session that is over. Nothing is counted then.
 */
export async function react(
  { pool, redis, log }: Pick<Deps, "pool" | "redis" | "log">,
  { viewer, sessionId: slugOrId, kind }: Reaction,
): Promise<void> {
  const sessionId = await requireSessionId(pool.db, slugOrId, viewer);
  const [found] = await findStanding(pool.db).execute({ sessionId, userId: viewer.id });
  if (found === undefined) throw notFound();
  if (found.state === "stopped") throw new Refusal(409, "over", "This session is over.");
  if (found.joinedId === null)
    throw new Refusal(403, "not_joined", "Place a call first, then you can react.");
  if (found.mutedId !== null) throw new Refusal(403, "muted", "You cannot react here: you are muted.");
  countReaction({ redis, log }, sessionId, kind);
}

/** The state of a session, and whether a player has joined it and is muted in it. */
const findStanding = prepareQuery((db) => {
  const ofSession = eq(sessions.id, sql.placeholder("sessionId"));
  const userId = sql.placeholder("userId");
  return db
    .select({ state: sessions.state, joinedId: registrations.id, mutedId: mutes.id })
    .from(sessions)
    .leftJoin(registrations, and(eq(registrations.sessionId, sessions.id), eq(registrations.userId, userId)))
    .leftJoin(
      mutes,
      and(eq(mutes.sessionId, sessions.id), eq(mutes.userId, userId), gt(mutes.until, sql`game_now()`)),
    )
    .where(ofSession)
    .prepare("find_standing");
});

/** A session receives the counts of its reactions at most this often, over all processes together. */
const REACTIONS_EVERY_MS = 1_000;

/** Counts that no process has broadcast within this time are lost. */
const LIFETIME_MS = 10_000;

/**
 * KEYS: the counts of all processes, by kind; the rate limit of broadcasts. ARGV: the lifetime of the counts and the broadcast
 * interval in milliseconds; then kinds with how many to add.
 * Returns 0 and the counts, which are then to be broadcast; otherwise how many milliseconds to wait.
 */
const countScript = redisScript(`${TAKE_TURN_LUA}
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
if redis.call('EXISTS', KEYS[1]) == 0 then return {0} end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
if not takeTurn(KEYS[2], ARGV[2]) then return {math.max(1, redis.call('PTTL', KEYS[2]))} end
local counts = redis.call('HGETALL', KEYS[1])
redis.call('DEL', KEYS[1])
return {0, unpack(counts)}`);

const scriptResult = v.tupleWithRest([v.number()], v.string());
type Counts = Partial<Record<ReactionKind, number>>;

/**
 * Counts reactions, and broadcasts the counts of all processes to the session: the first one at once, the following together
 * once a second. What cannot be counted because Redis is away is lost.
 */
class ReactionCounter {
  readonly #redis: RedisClient;
  readonly #log: Logger;
  /** What this process has not counted in Redis yet, by session. */
  readonly #added = new Map<number, Counts>();
  readonly #counting = new Set<number>();

  constructor({ redis, log }: { redis: RedisClient; log: Logger }) {
    this.#redis = redis;
    this.#log = log;
  }

  add(sessionId: number, kind: ReactionKind): void {
    const added = this.#added.get(sessionId) ?? {};
    added[kind] = (added[kind] ?? 0) + 1;
    this.#added.set(sessionId, added);
    if (this.#counting.has(sessionId)) return;
    this.#counting.add(sessionId);
    void this.#count(sessionId);
  }

  /** Counts until nothing waits to be broadcast. */
  async #count(sessionId: number): Promise<void> {
    try {
      for (;;) {
        const { waitMs, counts } = await this.#countInRedis(sessionId);
        if (counts !== null) await this.#broadcast(sessionId, counts);
        if (waitMs === 0 && !this.#added.has(sessionId)) break;
        await Bun.sleep(waitMs);
      }
    } catch (error) {
      this.#added.delete(sessionId);
      this.#log.debug({ err: error, sessionId }, "reactions could not be counted, and are lost");
    }
    // In the same step as the last look, so that no reaction comes between the two.
    this.#counting.delete(sessionId);
  }

  /** @returns the counts, if it is this process's turn to broadcast them; otherwise how long to wait for that. */
  async #countInRedis(sessionId: number): Promise<{ waitMs: number; counts: Counts | null }> {
    const added = Object.entries(this.#added.get(sessionId) ?? {}).flat();
    this.#added.delete(sessionId);
    const key = reactionsKey(this.#redis, sessionId);
    const args = [LIFETIME_MS, REACTIONS_EVERY_MS, ...added];
    const reply = await runScript(this.#redis, countScript, [key, `${key}:limit`], args);
    const [waitMs, ...counted] = v.parse(scriptResult, reply);
    return { waitMs, counts: counted.length === 0 ? null : countsIn(counted) };
  }

  #broadcast(sessionId: number, counts: Counts): Promise<unknown> {
    const now = serverNow();
    const message = forSession(sessionId, {
      sourceType: "Reaction",
      eventType: "count",
      detail: { counts, version: now.getTime(), serverTime: now.toISOString() },
    });
    return broadcast(this.#redis, [message]);
  }
}

const counters = new WeakMap<RedisClient, ReactionCounter>();

function countReaction(deps: { redis: RedisClient; log: Logger }, sessionId: number, kind: ReactionKind) {
  const counter = counters.get(deps.redis) ?? new ReactionCounter(deps);
  counters.set(deps.redis, counter);
  counter.add(sessionId, kind);
}

/** Kinds and numbers, as Redis lists a hash. Kinds of a newer release are left out. */
function countsIn(counted: readonly string[]): Counts {
  const counts: Counts = {};
  for (const kind of reactionKinds) {
    const at = counted.indexOf(kind);
    if (at >= 0) counts[kind] = Number(counted[at + 1]);
  }
  return counts;
}
