import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { delivery } from "#src/live/cable/frames.ts";
import { buildSession } from "#tests/support/build.ts";
import { openBenchDeps, type BenchDeps } from "../bench-deps.ts";
import { interleave } from "../harness.ts";
import type { Table } from "../table.ts";
import { frameLength } from "./cable-clients.ts";
import { type ServerKind, serverKinds } from "./cable-server.ts";
import { type Connects, connectsTable, deliveriesTable } from "./cable-tables.ts";
import { signInMany } from "./sign-in-many.ts";
import { benchStorm } from "./storm.ts";
import { type Broadcast, Subject, type Timed } from "./subject.ts";

/** `bun run bench cable 5000` opens 5,000 clients. */
const CLIENTS = process.argv.map(Number).find((count) => count > 0) ?? 1_000;
const CONNECT_ROUNDS = 9;
const ROUNDS = 12;
const SINGLES_PER_ROUND = 15;
const SMALL_BYTES = 64;
const LARGE_BYTES = 1_024;
/** After this time the count of online players has been broadcast and no longer changes. */
const SETTLED_MS = 2_500;

/** `bun run bench cable` */
export async function benchCable(): Promise<Table[]> {
  const deps = await openBenchDeps();
  try {
    return [...(await benchServers(deps)), await benchStorm(deps)];
  } finally {
    await deps.close();
  }
}

async function benchServers(deps: BenchDeps): Promise<Table[]> {
  const cookies = (await signInMany(deps, CLIENTS)).map(({ cookie }) => cookie);
  const session = await buildSession(deps);
  const messages = createMessages(deps, session.id);
  const { identifier } = messages;
  const subjects = serverKinds.map(
    (kind) => new Subject(kind, deps, { broadcast: messages.broadcast, cookies, identifier }),
  );
  try {
    const connects = await measureConnects(subjects);
    await Bun.sleep(SETTLED_MS);
    const deliveries: Table[] = [];
    for (const bytes of [SMALL_BYTES, LARGE_BYTES]) {
      messages.bytes = bytes;
      const measured = await measureDeliveries(subjects, messages.exampleFrame());
      deliveries.push(deliveriesTable(measured, { clients: CLIENTS, bytes }));
    }
    return [connectsTable(connects, CLIENTS), ...deliveries];
  } finally {
    for (const subject of subjects) await subject.close();
  }
}

/** The messages of a session, whose frames are of the same size for all servers. */
function createMessages(deps: BenchDeps, sessionId: number) {
  const stream = sessionStream(sessionId);
  const identifier = JSON.stringify({ channel: "SessionsChannel", id: sessionId });
  const state = { bytes: SMALL_BYTES };
  const current = async () => (await findStreamOffsets(deps.redis, [stream]))[0] ?? { epoch: "", offset: 0 };
  let sent: { epoch: string; offset: number } | null = null;
  const frameAt = (at: { epoch: string; offset: number }) => {
    const text = JSON.stringify({ ...at, ...contentOf(state.bytes) });
    return delivery("plain", identifier, { stream, message: { ...at, text } });
  };
  const broadcastTexts: Broadcast = async (frames) => {
    sent ??= await current();
    const first = sent.offset + 1;
    sent.offset += frames.length;
    const text = JSON.stringify(contentOf(state.bytes));
    void broadcast(
      deps.redis,
      frames.map(() => ({ stream, text })),
    );
    return frames.map((_, index) =>
      frameLength(frameAt({ epoch: sent?.epoch ?? "", offset: first + index })),
    );
  };
  return Object.assign(state, {
    identifier,
    broadcast: broadcastTexts,
    exampleFrame: () => frameAt({ epoch: sent?.epoch ?? "0".repeat(12), offset: 100 }),
  });
}

function contentOf(bytes: number): object {
  return { sourceType: "Filler", text: "x".repeat(bytes) };
}

async function measureConnects(subjects: readonly Subject[]): Promise<Map<ServerKind, Connects>> {
  const results = new Map<ServerKind, Connects>();
  for (const subject of subjects) {
    const before = await subject.memoryBytes();
    const first = await subject.open(CLIENTS);
    const perClientBytes = ((await subject.memoryBytes()) - before) / CLIENTS;
    results.set(subject.kind, { rounds: [first], perClientBytes });
    await subject.leave();
  }
  for (let round = 1; round < CONNECT_ROUNDS; round += 1)
    for (const subject of subjects) {
      results.get(subject.kind)?.rounds.push(await subject.open(CLIENTS));
      if (round + 1 < CONNECT_ROUNDS) await subject.leave();
    }
  return results;
}

async function measureDeliveries(
  subjects: readonly Subject[],
  frame: string,
): Promise<Map<ServerKind, Timed[]>> {
  const frames = Array.from({ length: SINGLES_PER_ROUND }, () => frame);
  const rounds = await interleave(
    subjects.map((subject) => () => subject.broadcastSingly(frames)),
    { rounds: ROUNDS },
  );
  return new Map(subjects.map(({ kind }, index) => [kind, rounds[index] ?? []]));
}
