import type { Redis } from "ioredis";
import * as v from "valibot";

const STREAMS_AT_ONCE = 500;

/** One message of a stream, with the id that says where in the stream it stands. */
export type Heard = { id: string; text: string };

/** Rows as XRANGE answers them: id, then field and value. */
const rows = v.array(v.tuple([v.string(), v.tuple([v.literal("m"), v.string()])]));

/** The id of a stream's newest message; "0-0" where it has none. */
export async function findLatestId(redis: Redis, stream: string): Promise<string> {
  const [newest] = v.parse(rows, await redis.xrevrange(stream, "+", "-", "COUNT", 1));
  return newest?.[0] ?? "0-0";
}

/** What each stream remembers after an id, oldest first. Rejects while Redis is away. */
export async function findMissed(
  redis: Redis,
  gaps: readonly { stream: string; after: string }[],
): Promise<Map<string, Heard[]>> {
  const missed = new Map<string, Heard[]>();
  for (let start = 0; start < gaps.length; start += STREAMS_AT_ONCE) {
    const some = gaps.slice(start, start + STREAMS_AT_ONCE);
    const pipeline = redis.pipeline();
    for (const { stream, after } of some) pipeline.xrange(stream, `(${after}`, "+");
    const replies = (await pipeline.exec()) ?? [];
    for (const [index, { stream }] of some.entries()) {
      const [error, reply] = replies[index] ?? [new Error("no answer"), null];
      if (error) throw error;
      missed.set(
        stream,
        v.parse(rows, reply).map(([id, [, text]]) => ({ id, text })),
      );
    }
  }
  return missed;
}

/** True if message id `one` (milliseconds-sequence) stands behind `other`. */
export function isAfter(one: string, other: string): boolean {
  const [oneMs = 0, oneSequence = 0] = one.split("-").map(Number);
  const [otherMs = 0, otherSequence = 0] = other.split("-").map(Number);
  return oneMs === otherMs ? oneSequence > otherSequence : oneMs > otherMs;
}
