import { takesWrites } from "./probe.ts";

type Options = Bun.SQL.PostgresOrMySQLOptions;

/**
 * The servers of one database, of which one takes writes: a primary and its replicas. Which one it is can change. The program never
 * promotes a server; it uses the one that takes writes.
 */
export class Servers {
  readonly #all: readonly Options[];
  #at = 0;

  /** @param all at least one. */
  constructor(all: readonly Options[]) {
    this.#all = all;
  }

  /** True if there is a choice. */
  get several(): boolean {
    return this.#all.length > 1;
  }

  /** The server that took writes last; before the first `find` the first one. */
  get current(): Options {
    const options = this.#all[this.#at];
    if (options === undefined) throw new Error("a database has at least one server");
    return options;
  }

  /**
   * Finds the server that takes writes. Where several do, the current one stays: a former primary that comes back by mistake is not
   * used while the new one answers.
   * @returns "none" if none answers so within `withinMs`; "other" if it was not the current one.
   */
  async find(withinMs: number): Promise<"none" | "same" | "other"> {
    const asked = this.#all.map((options) => takesWrites(options, withinMs));
    if (await asked[this.#at]) return "same";
    const found = (await Promise.all(asked)).indexOf(true);
    if (found < 0) return "none";
    this.#at = found;
    return "other";
  }
}
