import type { DatabasePool } from "#db/client.ts";
import { type PlaceCall, type PlacedCall, placeCalls } from "#db/ledger/place-calls.ts";

/** A batch waits for its slowest wallet, so it may not grow without end. */
const BATCH_SIZE_MAX = 256;

type Waiting = {
  call: PlaceCall;
  resolve: (placed: PlacedCall) => void;
  reject: (error: unknown) => void;
};
type Line = { waiting: Waiting[]; moving: boolean };

const lines = new WeakMap<DatabasePool, Line>();

/**
 * Places a call together with all others that arrive while the batch before it is at the database: one statement and one
 * commit for all of them. A lone call goes at once. Every call gets its own answer.
 */
export function placeInBatch(pool: DatabasePool, call: PlaceCall): Promise<PlacedCall> {
  const line = lines.get(pool) ?? { waiting: [], moving: false };
  lines.set(pool, line);
  const { promise, resolve, reject } = Promise.withResolvers<PlacedCall>();
  line.waiting.push({ call, resolve, reject });
  if (!line.moving) void move(pool, line);
  return promise;
}

async function move(pool: DatabasePool, line: Line): Promise<void> {
  line.moving = true;
  while (line.waiting.length > 0) {
    const batch = line.waiting.splice(0, BATCH_SIZE_MAX);
    await placeBatch(pool, batch);
  }
  line.moving = false;
}

/** Never rejects: every member of the batch hears what became of it. */
async function placeBatch(pool: DatabasePool, batch: Waiting[]): Promise<void> {
  try {
    const placed = await placeCalls(
      pool.db,
      batch.map((member) => member.call),
    );
    for (const [index, member] of batch.entries()) settle(member, placed[index]);
  } catch (error) {
    // One of them may have failed the whole statement: alone, each stands for itself.
    if (batch.length === 1) batch[0]?.reject(error);
    else for (const member of batch) await placeBatch(pool, [member]);
  }
}

function settle(member: Waiting, placed: PlacedCall | undefined): void {
  if (placed === undefined) member.reject(new Error("a batch must answer every call"));
  else member.resolve(placed);
}
