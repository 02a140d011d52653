import type { SQL, TransactionSQL } from "bun";
import { Connections, type InFlight, type ServerOptions } from "./connections.ts";
import {
  DatabaseSilent,
  isAborted,
  isDatabaseAway,
  nameUnknown,
  takesNoWrites,
  tlsRefusal,
} from "./database-errors.ts";
import { Semaphore, type SemaphoreCounts } from "./semaphore.ts";
import { Servers } from "./servers.ts";

// Decision: a connection whose packets are dropped never fails, and Postgres keeps `statement_timeout`, so a server that is frozen
// keeps nothing. Bun's own timeouts end statements that run. So this pool knows what each connection waits for. Where an answer is
// late, it asks the server over a new connection: a statement that the server works on is left alone; a statement that it knows
// nothing about is lost, and all connections are replaced; where the server is silent too, all that waits fails at once.
// The database counts as away only where no connection has had an answer and it accepts no new one: a slow machine that refused its
// own requests would be slower still.

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

/**
 * "silent": the database answers no more; "replaced": connections were lost and replaced; "back": it answers again; "moved": another
 * server takes the writes, and all connections are to it.
 */
export type PoolChange = "silent" | "replaced" | "back" | "moved";

export type PoolWatch = {
  /** Within which callers get an error for a silent database. A slow machine needs more. */
  silentAfterMs?: number | undefined;
  /** Is called when the connections have died without an error, and when they are back. */
  onChange?: ((change: PoolChange) => void) | undefined;
  onStatement?: StatementWatch | undefined;
  /** The name of the process, by which operators find who holds a transaction: "web-2". */
  name?: string | undefined;
};

type PoolOptions = PoolWatch & {
  /** How many statements and transactions run at the same moment. The others wait for their turn. */
  sizeMax: number;
  /** The first statement of each transaction, if they have one. */
  startWith: string | null;
};

/** The first statement of a transaction that has failed; null: none has. */
type Failed = { error: unknown };

/** What follows a statement that has failed is refused because of that one. Of some that are sent together it may be seen last. */
const causeOf = (error: unknown, failed: Failed) => (isAborted(error) ? (failed.error ?? error) : error);

/** A pool whose statements fail with DatabaseSilent, where its connections have died without an error. */
export class WatchedPool {
  /** A client for the connections that the pool has at the moment of each statement. */
  readonly sql: SQL;
  readonly #servers: Servers;
  readonly #options: PoolOptions;
  readonly #silentAfterMs: number;
  readonly #turns: Semaphore;
  readonly #timer: Timer;
  #connections: Connections;
  #refusal: { error: unknown; atMs: number } | null = null;
  #silent = false;
  #looking = false;
  #closed = false;
  /** Whether the current server takes writes is to be found out. */
  #inDoubt: boolean;
  /** Resolves when it has been looked for once. */
  readonly #looked = Promise.withResolvers<void>();

  /**
   * @param servers of the database. Of several, the one that takes writes is used; it is looked for at the start, and whenever a
   *   statement fails because a connection or the right to write is gone.
   */
  constructor(servers: readonly ServerOptions[], options: PoolOptions) {
    this.#servers = new Servers(servers);
    this.#options = options;
    this.#silentAfterMs = options.silentAfterMs ?? SILENT_AFTER_MS;
    this.#turns = new Semaphore(options.sizeMax);
    this.#connections = new Connections(this.#servers.current, options.sizeMax, options.name);
    this.sql = watchClient<SQL>({
      current: () => this.#connections.sql,
      send: (start) =>
        this.#run((inFlight) => {
          inFlight.sent();
          return start();
        }),
      onStatement: options.onStatement,
      members: { begin: (work: SQL.TransactionContextCallback<unknown>) => this.#begin(work) },
    });
    this.#inDoubt = this.#servers.several;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    if (this.#inDoubt) void this.#look();
  }

  /** The database does not answer, and whatever is asked of it fails at once. */
  readonly isSilent = (): boolean => this.#silent;

  /** Why the database has refused to write something, and how long ago; null: it has not, or writes again. */
  readonly lastRefusal = (): { error: unknown; ageMs: number } | null =>
    this.#refusal && { error: this.#refusal.error, ageMs: performance.now() - this.#refusal.atMs };

  /** Forgets that it has: a write was tried, and works. */
  readonly writesAgain = (): void => {
    this.#refusal = null;
  };

  readonly counts = (): SemaphoreCounts => this.#turns.counts();

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#connections.sql.close({ timeout: CLOSE_TIMEOUT_S });
  };

  /** Runs a statement or a transaction when a connection is free. */
  async #run(work: (inFlight: InFlight) => PromiseLike<unknown>): Promise<unknown> {
    if (this.#silent) throw new DatabaseSilent();
    if (this.#servers.several) await this.#looked.promise;
    try {
      return await this.#turns.run(() => this.#connections.run(work));
    } catch (cause) {
      const error =
        tlsRefusal(cause, "Postgres") ?? (await nameUnknown(cause, this.#servers.current.url)) ?? cause;
      if (takesNoWrites(error)) this.#refusal = { error, atMs: performance.now() };
      if (this.#servers.several && isDatabaseAway(error)) this.#inDoubt = true;
      throw error;
    }
  }

  #begin(work: SQL.TransactionContextCallback<unknown>): Promise<unknown> {
    return this.#run((inFlight) => {
      inFlight.sent();
      const failed: Failed = { error: null };
      const ended = this.#connections.sql.begin(async (transaction) => {
        inFlight.answered();
        const client = this.#watchTransaction(transaction, inFlight, failed);
        // Nobody waits for it: the next statement follows it, and fails with its error if it has failed.
        const { startWith } = this.#options;
        if (startWith !== null) client.unsafe(startWith).catch(() => undefined);
        const result = await work(client);
        inFlight.sent();
        return result;
      });
      return ended.catch((error: unknown) => {
        throw causeOf(error, failed);
      });
    });
  }

  /** The client of a transaction, or of a savepoint in it, that notes when each statement is sent and answered, and what has failed. */
  #watchTransaction<Client extends TransactionSQL>(
    client: Client,
    inFlight: InFlight,
    failed: Failed,
  ): Client {
    return watchClient({
      current: () => client,
      send: async (start) => {
        inFlight.sent();
        try {
          return await start();
        } catch (error) {
          if (!isAborted(error)) failed.error ??= error;
          throw causeOf(error, failed);
        } finally {
          inFlight.answered();
        }
      },
      onStatement: this.#options.onStatement,
      members: {
        savepoint: (work: SQL.SavepointContextCallback<unknown>) =>
          client.savepoint((savepoint) => work(this.#watchTransaction(savepoint, inFlight, { error: null }))),
      },
    });
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (this.#silent) await Bun.sleep(RETRY_MS);
      if (this.#silent || this.#inDoubt) await this.#lookForWriter();
      if (!this.#silent) await this.#lookForLoss();
    } finally {
      this.#looking = false;
    }
  }

  async #lookForLoss(): Promise<void> {
    const connections = this.#connections;
    const lateMs = this.#silentAfterMs * LATE_PART;
    let late = connections.late(lateMs);
    for (let looks = 1; late.length > 0; looks += 1) {
      const said = await this.#servers.ask(this.#question());
      late = connections.late(lateMs, late);
      if (this.#closed || late.length === 0) return;
      if (said === null) return connections.areQuiet(lateMs) ? this.#fallSilent() : undefined;
      if (said.busy === null || said.busy >= late.length) return Bun.sleep(RETRY_MS);
      if (looks === LOOKS) return this.#replace("replaced");
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }

  /** Looks for the server that takes writes. What is asked meanwhile fails by itself. */
  async #lookForWriter(): Promise<void> {
    const found = await this.#servers.find(this.#question());
    if (this.#closed) return;
    if (found === "other") this.#replace("moved");
    this.#looked.resolve();
    if (found === "none") return;
    this.#inDoubt = false;
    if (!this.#silent) return;
    this.#silent = false;
    this.#options.onChange?.("back");
  }

  #question() {
    return {
      application: this.#connections.application,
      sinceMs: Math.round(this.#silentAfterMs * BUSY_PART),
      withinMs: this.#silentAfterMs * PROBE_PART,
    };
  }

  #fallSilent(): void {
    this.#silent = true;
    this.#turns.refuseWaiting(() => new DatabaseSilent());
    this.#replace("silent");
  }

  #replace(change: PoolChange): void {
    const lost = this.#connections;
    this.#connections = new Connections(this.#servers.current, this.#options.sizeMax, this.#options.name);
    lost.giveUp();
    this.#options.onChange?.(change);
  }
}

// Bun starts a query only when somebody awaits it. So these wrap a client and its queries, and see the moment when one is sent.

/** Is called before a statement is sent; what it returns is called with the answer, or with the error. */
type StatementWatch = (text: string) => ((error?: unknown) => void) | null;

type Watching<Client> = {
  /** The client at the moment: it may be replaced after a query was made, and before it is sent. */
  current: () => Client;
  /** Sends a query by `start`, and awaits its answer. */
  send: (start: () => PromiseLike<unknown>) => Promise<unknown>;
  onStatement: StatementWatch | undefined;
  /** Members that differ from the client's. */
  members: Readonly<Record<string, unknown>>;
};

/** A client whose queries are sent by `send`, as soon as they are awaited. A member may be replaced, as in a test. */
function watchClient<Client extends SQL>(watching: Watching<Client>): Client {
  const { current, send, onStatement, members } = watching;
  const watch = <Row>(ask: (client: Client) => SQL.Query<Row>, text: string): SQL.Query<Row> => {
    const made = current();
    const query = ask(made);
    const start = () => (current() === made ? query : ask(current()));
    return new Proxy(query, {
      get(target, name) {
        if (name === "values") return () => watch((client) => ask(client).values(), text);
        if (name !== "then") return memberOf(target, name);
        return (...settled: Parameters<Promise<unknown>["then"]>) =>
          observe(onStatement?.(text) ?? null, () => send(start)).then(...settled);
      },
    });
  };
  const unsafe = (...statement: Parameters<SQL["unsafe"]>) =>
    watch((client) => client.unsafe(...statement), statement[0]);
  const own = new Map<string | symbol, unknown>(Object.entries({ unsafe, ...members }));
  return new Proxy(current(), {
    apply: (_target, _this, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) =>
      watch((client) => client(strings, ...values), strings[0] ?? ""),
    get: (_target, name) => own.get(name) ?? memberOf(current(), name),
    set: (_target, name, value) => own.set(name, value) === own,
  });
}

/** @param end gets the error, if there is one; null: nobody watches. */
async function observe(end: ReturnType<StatementWatch>, work: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await work();
    end?.();
    return result;
  } catch (error) {
    end?.(error);
    throw error;
  }
}

/** A member of an object behind a proxy. Methods stay bound to the object, whose private fields a proxy does not have. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}
