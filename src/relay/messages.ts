import type { Redis } from "ioredis";
import type { Transaction } from "#db/client.ts";
import type { Fact } from "#src/outbox/write-fact.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import type { Latest } from "./broadcast-pool.ts";

/** What turning facts into messages needs, and where it notes what is told in its own time. */
export type Telling = {
  tx: Transaction;
  redis: Redis;
  /** The database's clock, ISO 8601. */
  serverTime: string;
  /** The pools that changed, by event, with the newest calls. */
  pools: Map<number, Latest[]>;
  /** The sessions whose leaders may have changed. */
  leaders: Set<number>;
  /** What is to be told later, because it concerns too many to be told at once. */
  rest: Fact[];
};

/** Messages in the order they are to go out, a bounded number at a time. */
export type Messages = AsyncGenerator<Broadcast[], void, undefined>;
