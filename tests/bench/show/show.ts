import { parseArgs } from "node:util";
import { and, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import { openWallet } from "#db/ledger/grant-play-money.ts";
import { settlements } from "#db/schema/ledger.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { buildAdmin, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { giveMoney } from "#tests/support/give-money.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type BenchDeps, openBenchDeps, waitForBroadcasts } from "../bench-deps.ts";
import { type SignedInPlayer, signInMany } from "../cable/sign-in-many.ts";
import { serverPids } from "../cpu.ts";
import { type Helper, startHelper } from "../harness.ts";
import { startProcess, startWebProcess, untilUp } from "../start-web.ts";
import type { Table } from "../table.ts";
import { type Asked, FROM, momentMs, type ShowCommand, type ShowOptions, showReport } from "./contract.ts";
import { auditShow, showTables, watchProcesses } from "./show-tables.ts";

const PLAYERS_PER_PROCESS = 8_000;
const BALANCE_CENTS = 10_000;
const BUILT_AT_ONCE = 100;
const QUESTION_S = 20;
const SETTLEMENT_DELAY_S = 5;
/** From the close to the host's result, and from the payout to the next question or a correction. */
const HOST_DECIDES_MS = 2_000;
const HOST_WAITS_MS = 4_000;
/** Two results are corrected: after a third of the show, and at its end. */
const CORRECTED_EVERY = 3;
const PAID_WITHIN_MS = 60_000;
/** What was broadcast last reaches the sockets. */
const LAST_MESSAGES_MS = 2_000;

/** `bun run bench show 10000 --processes 2 --questions 4 --join 60` */
function readOptions(): ShowOptions {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    strict: false,
    options: {
      processes: { type: "string", default: "1" },
      questions: { type: "string", default: "12" },
      join: { type: "string", default: "120" },
    },
  });
  const players = positionals.map(Number).find((count) => count > 0) ?? 2_000;
  return {
    players,
    processes: Number(values.processes),
    questions: Number(values.questions),
    joinS: Number(values.join),
  };
}

/**
 * A show as players live it: they open the page and the socket within two minutes, and call on questions that a host opens and
 * decides, half of them in the last three seconds. They chat, react, load pages, have second devices and lose their sockets. Servers,
 * databases and the load share the machine. Each acknowledged call must be in the books, broadcast to its player and paid.
 */
export async function benchShow(): Promise<Table[]> {
  const options = readOptions();
  const deps = await openBenchDeps();
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const shared = options.processes === 1 ? {} : { WEB_CONCURRENCY: String(options.processes) };
  const webs = Array.from({ length: options.processes }, () =>
    startWebProcess(deps, port, { ...shared, TRUSTED_PROXIES: "127.0.0.1" }),
  );
  const worker = startProcess(deps, "jobs/main.ts", {});
  const crowd = Array.from({ length: Math.ceil(options.players / PLAYERS_PER_PROCESS) }, () =>
    startHelper("show/players.ts"),
  );
  try {
    await Promise.all([...webs, worker].map(({ ready }) => ready));
    await untilUp(origin);
    const session = await buildRunningSession(deps, {
      settings: { settlementDelaySeconds: SETTLEMENT_DELAY_S },
    });
    const credentials = await signInDirectly(deps, await buildAdmin(deps));
    const host = new ShowHost(origin, { ...credentials, [FROM]: "10.255.0.1" });
    const players = await buildPlayers(deps, options.players);
    const servers = await serverPids(deps);
    const usageOf = watchProcesses(
      new Map([
        ["web", webs.map(({ pid }) => pid)],
        ["worker", [worker.pid]],
        ["Postgres", [servers.postgres]],
        ["Redis", [servers.redis]],
        ["load", crowd.map(({ pid }) => pid)],
      ]),
    );
    await join(crowd, { players, port, session, withinMs: options.joinS * 1_000 });
    const asked: Asked[] = [];
    for (let number = 1; number <= options.questions; number += 1)
      asked.push(await playQuestion({ host, sessionId: session.id }, number));
    await untilPaid(deps);
    await waitForBroadcasts(deps);
    await Bun.sleep(LAST_MESSAGES_MS);
    const usage = usageOf();
    const reports = v.parse(
      v.array(showReport),
      await Promise.all(crowd.map((each) => tell(each, { command: "leave" }))),
    );
    const audit = await auditShow(deps, { reports, asked });
    return showTables({ options, reports, asked, usage, audit });
  } finally {
    for (const each of [...crowd, ...webs, worker]) await each.stop();
    await deps.close();
  }
}

/** Tells a process of players what happens. @returns when it has done that, with its answer. */
const tell = (players: Helper, command: ShowCommand) => players.ask(command);

async function buildPlayers(deps: BenchDeps, count: number): Promise<SignedInPlayer[]> {
  const players = await signInMany(deps, count);
  for (let from = 0; from < count; from += BUILT_AT_ONCE)
    await Promise.all(
      players.slice(from, from + BUILT_AT_ONCE).map(async ({ userId }) => {
        await openWallet(deps.pool.db, userId);
        await giveMoney(deps.pool.db, userId, BALANCE_CENTS);
      }),
    );
  return players;
}

type Joining = {
  players: SignedInPlayer[];
  port: number;
  session: { id: number; slug: string };
  withinMs: number;
};

async function join(
  crowd: readonly Helper[],
  { players, port, session: { id, slug }, withinMs }: Joining,
): Promise<void> {
  const size = Math.ceil(players.length / crowd.length);
  await Promise.all(
    crowd.map((each, index) =>
      tell(each, {
        command: "join",
        port,
        session: { id, slug },
        players: players.slice(index * size, (index + 1) * size),
        first: index * size,
        withinMs,
        share: 1 / crowd.length,
      }),
    ),
  );
}

type Show = { host: ShowHost; sessionId: number };

/** Opens a question, waits for its calls, decides it, and waits until it is paid. Every third one is decided wrongly at first. */
async function playQuestion({ host, sessionId }: Show, number: number): Promise<Asked> {
  const title = `Will question ${number} be right?`;
  const { id, sentAtMs, closesAtMs } = await host.ask(sessionId, { title, durationSeconds: QUESTION_S });
  await until(closesAtMs + HOST_DECIDES_MS);
  const result = number % 2 === 0;
  const paysAtMs = await host.resolve(id, result);
  await until(paysAtMs + HOST_WAITS_MS);
  const isCorrected = number % CORRECTED_EVERY === 0 && number <= 2 * CORRECTED_EVERY;
  if (isCorrected) {
    await until((await host.resolve(id, !result, "The replay shows it")) + HOST_WAITS_MS);
  }
  return { eventId: id, sentAtMs, paysAtMs, results: isCorrected ? 2 : 1 };
}

/** Waits until all results and corrections are paid. */
async function untilPaid({ pool }: BenchDeps): Promise<void> {
  const unpaid = and(isNull(settlements.paidAt), eq(settlements.superseded, false));
  const isPaid = async () => (await pool.db.$count(settlements, unpaid)) === 0;
  await waitFor("all results to be paid", isPaid, { withinMs: PAID_WITHIN_MS });
}

async function until(atMs: number): Promise<void> {
  await Bun.sleep(Math.max(0, atMs - momentMs()));
}

const answer = v.object({
  event: v.object({ id: v.number(), closesAt: v.nullable(v.string()), paysAt: v.nullable(v.string()) }),
});
type EventAnswer = v.InferOutput<typeof answer>["event"];

/** A host who runs the show by the API. */
class ShowHost {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, credentials: Record<string, string>) {
    this.#origin = origin;
    this.#headers = { ...credentials, "content-type": "application/json", accept: "application/json" };
  }

  /** Opens a question. @returns when it was sent, in milliseconds since 1970. */
  async ask(
    sessionId: number,
    { title, durationSeconds }: { title: string; durationSeconds: number },
  ): Promise<{ id: number; sentAtMs: number; closesAtMs: number }> {
    const sentAtMs = momentMs();
    const { id, closesAt } = await this.#send("POST", "/api/v1/events", {
      event: { session_id: sessionId, title, duration_seconds: durationSeconds, ask: true },
    });
    return { id, sentAtMs, closesAtMs: Date.parse(closesAt ?? "") };
  }

  /** @returns when the result is paid, in milliseconds since 1970: at once, or when the time to undo it is over. */
  async resolve(eventId: number, result: boolean, reason?: string): Promise<number> {
    const { paysAt } = await this.#send("PATCH", `/api/v1/events/${eventId}/state`, {
      event: { state_event: "resolve", result, ...(reason === undefined ? {} : { reason }) },
    });
    return paysAt === null ? momentMs() : Date.parse(paysAt);
  }

  async #send(method: string, path: string, body: object): Promise<EventAnswer> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return v.parse(answer, JSON.parse(text)).event;
  }
}
