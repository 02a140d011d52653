import type { Failure } from "../page/error-responses.ts";

/** What became of a part of a page: its data, or what the page says instead. */
export type Outcome<Data> = { data: Data } | { failure: Failure };

/** A part of a page, whose data may come after it. It never rejects: a failure is content, visible without JavaScript too. */
export class Deferred<Data = unknown> {
  /** The path of what is shown. Data of another path does not replace the shown part: that one starts with loading. */
  readonly path: string;
  readonly outcome: Promise<Outcome<Data>>;
  /** The outcome once it is known. A part whose data is at hand is rendered with the page. */
  settled: Outcome<Data> | null = null;
  /** The error that made it fail if that was a bug and not a refusal; otherwise null. */
  bug: Error | null = null;
  readonly #resolve: (outcome: Outcome<Data>) => void;

  constructor(path: string) {
    this.path = path;
    const { promise, resolve } = Promise.withResolvers<Outcome<Data>>();
    this.outcome = promise;
    this.#resolve = resolve;
  }

  /** Only the first outcome counts. */
  settle(outcome: Outcome<Data>): void {
    if (this.settled !== null) return;
    this.settled = outcome;
    this.#resolve(outcome);
  }
}
