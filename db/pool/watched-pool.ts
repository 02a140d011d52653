import { SQL } from "bun";
import { DatabaseSilent, InFlight } from "./in-flight.ts";
import { type Probe, probe } from "./probe.ts";
import { memberOf, watchQuery, watchTransaction } from "./watched-query.ts";

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

/** "silent": the database answers no more; "replaced": connections were lost and replaced; "back": it answers again. */
export type PoolChange = "silent" | "replaced" | "back";
/** `isSilent`: the database does not answer, and whatever is asked of it fails at once. */
export type WatchedPool = { sql: SQL; isSilent: () => boolean; close: () => Promise<void> };

/** How a pool is watched. `onChange` is called when its connections have died without an error, and when they are back. */
export type PoolWatch = {
  silentAfterMs?: number | undefined;
  onChange?: ((change: PoolChange) => void) | undefined;
};

type Limits = { sizeMax: number; silentAfterMs: number; onChange: (change: PoolChange) => void };
type Options = Bun.SQL.PostgresOrMySQLOptions;
type Waiting = { start: () => void; reject: (error: Error) => void };

/**
 * Opens a pool whose statements fail with DatabaseSilent, where its connections have died without an error.
 * @param sizeMax how many statements and transactions run at the same moment. The others wait for their turn.
 * @param silentAfterMs within which callers get an error for a silent database. A slow machine needs more.
 */
export function openWatchedPool(
  options: Options,
  { sizeMax, silentAfterMs = SILENT_AFTER_MS, onChange = () => undefined }: { sizeMax: number } & PoolWatch,
): WatchedPool {
  const pool = new Watched(options, { sizeMax, silentAfterMs, onChange });
  return { sql: pool.client(), isSilent: () => pool.silent, close: () => pool.close() };
}

/** The connections of a pool, until they are replaced. */
type Connections = { sql: SQL; application: string; inFlight: Set<InFlight>; answeredAt: number };

class Watched {
  readonly #options: Options;
  readonly #sizeMax: number;
  readonly #silentAfterMs: number;
  readonly #onChange: (change: PoolChange) => void;
  readonly #timer: Timer;
  #connections: Connections;
  /** What waits for a connection, oldest first. */
  #waiting: Waiting[] = [];
  /** How many statements and transactions have a connection. */
  #running = 0;
  #silent = false;
  #looking = false;
  #closed = false;

  constructor(options: Options, { sizeMax, silentAfterMs, onChange }: Limits) {
    this.#options = options;
    this.#sizeMax = sizeMax;
    this.#silentAfterMs = silentAfterMs;
    this.#onChange = onChange;
    this.#connections = this.#open();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get silent(): boolean {
    return this.#silent;
  }

  /** A client for the connections that the pool has at the moment of each statement. A member may be replaced, as in a test. */
  client(): SQL {
    const members = new Map<string | symbol, unknown>([
      ["unsafe", (...statement: Parameters<SQL["unsafe"]>) => this.#query((sql) => sql.unsafe(...statement))],
      ["begin", (work: SQL.TransactionContextCallback<unknown>) => this.#begin(work)],
    ]);
    return new Proxy(this.#connections.sql, {
      apply: (_target, _this, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) =>
        this.#query((sql) => sql(strings, ...values)),
      get: (_target, name) => members.get(name) ?? memberOf(this.#connections.sql, name),
      set: (_target, name, value) => members.set(name, value) === members,
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#connections.sql.close({ timeout: CLOSE_TIMEOUT_S });
  }

  #open(): Connections {
    const application = `called-it ${crypto.randomUUID().slice(0, 8)}`;
    const connection = { ...this.#options.connection, application_name: application };
    const sql = new SQL({ ...this.#options, connection, max: this.#sizeMax });
    return { sql, application, inFlight: new Set(), answeredAt: performance.now() };
  }

  #query<Row>(ask: (sql: SQL) => SQL.Query<Row>): SQL.Query<Row> {
    const made = this.#connections;
    return watchQuery(
      () => ask(this.#connections.sql),
      (query, again) =>
        this.#run((inFlight) => {
          inFlight.sent();
          return made === this.#connections ? query : again();
        }),
    );
  }

  #begin(work: SQL.TransactionContextCallback<unknown>): Promise<unknown> {
    return this.#run((inFlight) => {
      inFlight.sent();
      return this.#connections.sql.begin(async (transaction) => {
        inFlight.answered();
        const result = await work(watchTransaction(transaction, inFlight));
        inFlight.sent();
        return result;
      });
    });
  }

  /** Runs a statement or a transaction when a connection is free. */
  async #run(work: (inFlight: InFlight) => PromiseLike<unknown>): Promise<unknown> {
    if (this.#silent) throw new DatabaseSilent();
    if (this.#running < this.#sizeMax) this.#running += 1;
    else await this.#turn();
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
    } finally {
      inFlight.delete(own);
      this.#passOn();
    }
  }

  /** Waits for the end of a statement or a transaction, and takes its connection over. */
  #turn(): Promise<void> {
    return new Promise((start, reject) => this.#waiting.push({ start, reject }));
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.start();
  }

  /** Looks for late answers, and for their cause. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (this.#silent) await this.#lookForReturn();
      else await this.#lookForLoss();
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
    return performance.now() - this.#connections.answeredAt > this.#silentAfterMs * LATE_PART;
  }

  #isLate(inFlight: InFlight): boolean {
    return inFlight.waitedMs(performance.now()) > this.#silentAfterMs * LATE_PART;
  }

  async #lookForReturn(): Promise<void> {
    await Bun.sleep(RETRY_MS);
    if (this.#closed || !(await this.#probe()).answers) return;
    this.#silent = false;
    this.#onChange("back");
  }

  #probe(): Promise<Probe> {
    return probe(this.#options, {
      application: this.#connections.application,
      sinceMs: Math.round(this.#silentAfterMs * BUSY_PART),
      withinMs: this.#silentAfterMs * PROBE_PART,
    });
  }

  #fallSilent(): void {
    this.#silent = true;
    const waiting = this.#waiting.splice(0);
    this.#replace("silent");
    for (const { reject } of waiting) reject(new DatabaseSilent());
  }

  /** Gives up all connections. Those that still work are lost too: their transactions are rolled back. */
  #replace(change: PoolChange): void {
    const { sql, inFlight } = this.#connections;
    this.#connections = this.#open();
    for (const each of inFlight) each.giveUp();
    // A dead connection cannot say goodbye.
    void sql.close({ timeout: 0 }).catch(() => undefined);
    this.#onChange(change);
  }
}
