import { SQL } from "bun";
import { applicationName } from "./application-name.ts";
import { DatabaseSilent } from "./database-errors.ts";

export type ServerOptions = Bun.SQL.PostgresOrMySQLOptions;

/** A statement or a transaction that has a connection, and what the database owes it. */
export class InFlight {
  readonly giveUp: (error: Error) => void;
  readonly #onAnswer: () => void;
  #unanswered = 0;
  #waitsSince = 0;

  constructor(giveUp: (error: Error) => void, onAnswer: () => void) {
    this.giveUp = giveUp;
    this.#onAnswer = onAnswer;
  }

  /** For how long an answer is owed, in ms; 0: none is, because the transaction is between two statements. */
  waitedMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#waitsSince;
  }

  sent(): void {
    if (this.#unanswered === 0) this.#waitsSince = performance.now();
    this.#unanswered += 1;
  }

  answered(): void {
    this.#unanswered -= 1;
    this.#waitsSince = performance.now();
    this.#onAnswer();
  }
}

/** The connections of a pool to one server, until they are replaced. Each is opened with the first statement that needs it. */
export class Connections {
  readonly sql: SQL;
  /** Their name at the server, which no other connections have. */
  readonly application: string;
  readonly #inFlight = new Set<InFlight>();
  #answeredAt = performance.now();

  /** @param max how many are open at most. @param name of their process, if it has one. */
  constructor(options: ServerOptions, max: number, name?: string) {
    this.application = applicationName(name);
    const connection = { ...options.connection, application_name: this.application };
    this.sql = new SQL({ ...options, connection, max });
  }

  /** Runs a statement or a transaction. @throws DatabaseSilent if the connections are given up before its answer. */
  async run(work: (inFlight: InFlight) => PromiseLike<unknown>): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const own = new InFlight(reject, () => (this.#answeredAt = performance.now()));
    this.#inFlight.add(own);
    try {
      work(own).then((result) => {
        own.answered();
        resolve(result);
      }, reject);
      return await promise;
    } finally {
      this.#inFlight.delete(own);
    }
  }

  /** Those of `among` that are owed an answer for longer than this. */
  late(afterMs: number, among: Iterable<InFlight> = this.#inFlight): InFlight[] {
    return [...among].filter((each) => this.#inFlight.has(each) && each.waitedMs() > afterMs);
  }

  /** No connection has had an answer for so long. Where some have, the server is slow: giving up all others would make it worse. */
  areQuiet(forMs: number): boolean {
    return performance.now() - this.#answeredAt > forMs;
  }

  /** Ends all of them. Those that still work are lost too: their transactions are rolled back. */
  giveUp(): void {
    for (const each of this.#inFlight) each.giveUp(new DatabaseSilent());
    // A dead connection cannot say goodbye.
    void this.sql.close({ timeout: 0 }).catch(() => undefined);
  }
}
