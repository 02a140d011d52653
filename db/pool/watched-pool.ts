import type { SQL } from "bun";
import { type Connections, openConnections } from "./connections.ts";
import { isDatabaseAway } from "./database-away.ts";
import { DatabaseSilent, InFlight } from "./in-flight.ts";
import type { Limits, PoolChange, PoolShape, PoolWatch, WatchedPool } from "./pool-watch.ts";
import { type Probe, probe } from "./probe.ts";
import { Servers } from "./servers.ts";
import { tlsRefusal } from "./tls-refused.ts";
import { type PoolCounts, Turns } from "./turns.ts";
import { memberOf, observe, watchQuery, watchTransaction } from "./watched-query.ts";

// Decision: a connection whose packets are dropped never fails, and Postgres keeps `statement_timeout`, so a server that is frozen
// keeps nothing. Bun's own timeouts end statements that run. So this pool knows what each connection waits for. Where an answer is
// late, it asks the server over a new connection: a statement that the server works on is left alone; a statement that it knows
// nothing about is lost, and all connections are replaced; where the server is silent too, all that waits fails at once.

/** Within this time callers get an error for a silent database, or for a connection that has died. */
const SILENT_AFTER_MS = 3_000;
// Parts of that time.
/** After this an answer is late. */
const LATE_PART = 0.3;
/** How long a statement must have run for the server's word that it works on it. Less than LATE_PART: it arrives later. */
const BUSY_PART = 0.15;
/** How long the server may take to accept a new connection and to answer on it. */
const PROBE_PART = 0.6;
/** Looks before a late statement is lost: on a busy machine the server may start on it late, and the answer may be on its way. */
const LOOKS = 4;
const LOOK_EVERY_MS = 250;
const RETRY_MS = 500;
const CLOSE_TIMEOUT_S = 5;

type Options = Bun.SQL.PostgresOrMySQLOptions;

/**
 * Opens a pool whose statements fail with DatabaseSilent, where its connections have died without an error.
 * @param servers of the database. Of several, the one that takes writes is used; it is looked for at the start, and whenever a
 *   statement fails because a connection or the right to write is gone.
 * @param sizeMax how many statements and transactions run at the same moment. The others wait for their turn.
 * @param silentAfterMs within which callers get an error for a silent database. A slow machine needs more.
 */
export function openWatchedPool(
  servers: readonly Options[],
  { silentAfterMs = SILENT_AFTER_MS, onChange = () => undefined, ...shape }: PoolShape & PoolWatch,
): WatchedPool {
  const { sizeMax, startWith = null, onStatement = () => null } = shape;
  const limits = { sizeMax, startWith, silentAfterMs, onChange, onStatement };
  const pool = new Watched(new Servers(servers), limits);
  const isSilent = () => pool.silent;
  return { sql: pool.client(), isSilent, counts: () => pool.counts, close: () => pool.close() };
}

class Watched {
  readonly #servers: Servers;
  readonly #limits: Limits;
  readonly #timer: Timer;
  #connections: Connections;
  readonly #turns: Turns;
  #silent = false;
  #looking = false;
  #closed = false;
  /** Whether the current server takes writes is to be found out. */
  #inDoubt: boolean;
  /** Resolves when it has been looked for once. */
  readonly #looked = Promise.withResolvers<void>();

  constructor(servers: Servers, limits: Limits) {
    this.#limits = limits;
    this.#servers = servers;
    this.#inDoubt = servers.several;
    if (!servers.several) this.#looked.resolve();
    this.#turns = new Turns(limits.sizeMax);
    this.#connections = openConnections(this.#servers.current, this.#limits.sizeMax);
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    if (servers.several) void this.#look();
  }

  get counts(): PoolCounts {
    return this.#turns.counts;
  }

  get silent(): boolean {
    return this.#silent;
  }

  /** A client for the connections that the pool has at the moment of each statement. A member may be replaced, as in a test. */
  client(): SQL {
    const members = new Map<string | symbol, unknown>([
      [
        "unsafe",
        (...statement: Parameters<SQL["unsafe"]>) =>
          this.#query((sql) => sql.unsafe(...statement), statement[0]),
      ],
      ["begin", (work: SQL.TransactionContextCallback<unknown>) => this.#begin(work)],
    ]);
    return new Proxy(this.#connections.sql, {
      apply: (_target, _this, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) =>
        this.#query((sql) => sql(strings, ...values), strings[0] ?? ""),
      get: (_target, name) => members.get(name) ?? memberOf(this.#connections.sql, name),
      set: (_target, name, value) => members.set(name, value) === members,
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#connections.sql.close({ timeout: CLOSE_TIMEOUT_S });
  }

  #query<Row>(ask: (sql: SQL) => SQL.Query<Row>, text: string): SQL.Query<Row> {
    const made = this.#connections;
    return watchQuery(
      () => ask(this.#connections.sql),
      (query, again) =>
        observe(this.#limits.onStatement(text), () =>
          this.#run((inFlight) => {
            inFlight.sent();
            return made === this.#connections ? query : again();
          }),
        ),
    );
  }

  #begin(work: SQL.TransactionContextCallback<unknown>): Promise<unknown> {
    return this.#run((inFlight) => {
      inFlight.sent();
      return this.#connections.sql.begin(async (transaction) => {
        inFlight.answered();
        // Nobody waits for it: the next statement follows it, and fails if it has failed.
        if (this.#limits.startWith !== null)
          transaction.unsafe(this.#limits.startWith).catch(() => undefined);
        const result = await work(watchTransaction(transaction, inFlight, this.#limits.onStatement));
        inFlight.sent();
        return result;
      });
    });
  }

  /** Runs a statement or a transaction when a connection is free. */
  async #run(work: (inFlight: InFlight) => PromiseLike<unknown>): Promise<unknown> {
    if (this.#silent) throw new DatabaseSilent();
    if (this.#servers.several) await this.#looked.promise;
    await this.#turns.take();
    const connections = this.#connections;
    const { inFlight } = connections;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const own = new InFlight(reject, () => (connections.answeredAt = performance.now()));
    inFlight.add(own);
    try {
      work(own).then((result) => {
        own.answered();
        resolve(result);
      }, reject);
      return await promise;
    } catch (cause) {
      const error = tlsRefusal(cause, "Postgres") ?? cause;
      if (this.#servers.several && isDatabaseAway(error)) this.#inDoubt = true;
      throw error;
    } finally {
      inFlight.delete(own);
      this.#turns.end();
    }
  }

  /** Looks for late answers, and for their cause. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (this.#silent) return await this.#lookForReturn();
      if (this.#inDoubt) await this.#lookForWriter();
      await this.#lookForLoss();
    } finally {
      this.#looking = false;
    }
  }

  async #lookForLoss(): Promise<void> {
    const { inFlight } = this.#connections;
    let late = [...inFlight].filter((each) => this.#isLate(each));
    for (let looks = 1; late.length > 0; looks += 1) {
      const said = await this.#probe();
      late = late.filter((each) => inFlight.has(each) && this.#isLate(each));
      if (this.#closed || late.length === 0) return;
      if (!said.answers) return this.#isQuiet() ? this.#fallSilent() : undefined;
      if (said.busy === null || said.busy >= late.length) return Bun.sleep(RETRY_MS);
      if (looks === LOOKS) return this.#replace("replaced");
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }

  /** No connection has had an answer for long. Where some have, the server is slow: giving up all others would make it worse. */
  #isQuiet(): boolean {
    return performance.now() - this.#connections.answeredAt > this.#limits.silentAfterMs * LATE_PART;
  }

  #isLate(inFlight: InFlight): boolean {
    return inFlight.waitedMs(performance.now()) > this.#limits.silentAfterMs * LATE_PART;
  }

  async #lookForReturn(): Promise<void> {
    await Bun.sleep(RETRY_MS);
    if (this.#closed) return;
    if (this.#servers.several) await this.#lookForWriter();
    else if ((await this.#probe()).answers) this.#comeBack();
  }

  #comeBack(): void {
    if (!this.#silent) return;
    this.#silent = false;
    this.#limits.onChange("back");
  }

  /** Looks for the server that takes writes. What is asked meanwhile fails by itself. */
  async #lookForWriter(): Promise<void> {
    const found = await this.#servers.find(this.#limits.silentAfterMs * PROBE_PART);
    if (this.#closed) return;
    if (found === "other") this.#replace("moved");
    this.#looked.resolve();
    if (found === "none") return;
    this.#inDoubt = false;
    this.#comeBack();
  }

  #probe(): Promise<Probe> {
    return probe(this.#servers.current, {
      application: this.#connections.application,
      sinceMs: Math.round(this.#limits.silentAfterMs * BUSY_PART),
      withinMs: this.#limits.silentAfterMs * PROBE_PART,
    });
  }

  #fallSilent(): void {
    this.#silent = true;
    this.#turns.rejectWaiting(() => new DatabaseSilent());
    this.#replace("silent");
  }

  /** Gives up all connections. Those that still work are lost too: their transactions are rolled back. */
  #replace(change: PoolChange): void {
    const { sql, inFlight } = this.#connections;
    this.#connections = openConnections(this.#servers.current, this.#limits.sizeMax);
    for (const each of inFlight) each.giveUp();
    // A dead connection cannot say goodbye.
    void sql.close({ timeout: 0 }).catch(() => undefined);
    this.#limits.onChange(change);
  }
}
