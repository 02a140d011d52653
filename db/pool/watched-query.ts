import type { SQL, TransactionSQL } from "bun";
import type { InFlight } from "./in-flight.ts";

// Bun starts a query only when somebody awaits it. So these wrap a client and its queries, and see the moment when one is sent.

/**
 * Sends a query and awaits its answer. `again` makes the same query once more, for a client whose connections were replaced
 * after the query was made.
 */
type Send = <Row>(query: SQL.Query<Row>, again: () => SQL.Query<Row>) => Promise<unknown>;

/** Is called before a statement is sent; what it returns is called with the answer, or with the error. */
export type StatementWatch = (text: string) => ((error?: unknown) => void) | null;

/** A query that is sent by `send`, as soon as it is awaited. `ask` makes it. */
export function watchQuery<Row>(ask: () => SQL.Query<Row>, send: Send): SQL.Query<Row> {
  return new Proxy(ask(), {
    get(target, name) {
      if (name === "values") return () => watchQuery(() => ask().values(), send);
      if (name === "then") {
        return (...settled: Parameters<Promise<unknown>["then"]>) => send(target, ask).then(...settled);
      }
      return memberOf(target, name);
    },
  });
}

/** Does what `onStatement` has watched begin. @param end gets the error, if there is one; null: nobody watches. */
export function observe(end: ReturnType<StatementWatch>, work: () => Promise<unknown>): Promise<unknown> {
  return end === null ? work() : observed(end, work);
}

async function observed(end: (error?: unknown) => void, work: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await work();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** The client of a transaction that notes when each statement is sent and answered. */
export function watchTransaction<Client extends TransactionSQL>(
  client: Client,
  inFlight: InFlight,
  onStatement: StatementWatch,
): Client {
  const sendAs =
    (text: string): Send =>
    (query) =>
      observe(onStatement(text), async () => {
        inFlight.sent();
        try {
          return await query;
        } finally {
          inFlight.answered();
        }
      });
  return new Proxy(client, {
    get(target, name) {
      if (name === "unsafe") {
        return (...statement: Parameters<SQL["unsafe"]>) =>
          watchQuery(() => target.unsafe(...statement), sendAs(statement[0]));
      }
      if (name === "savepoint") {
        return <Result>(work: SQL.SavepointContextCallback<Result>) =>
          target.savepoint((savepoint) => work(watchTransaction(savepoint, inFlight, onStatement)));
      }
      return memberOf(target, name);
    },
  });
}

/** A member of an object behind a proxy. Methods stay bound to the object, whose private fields a proxy does not have. */
export function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}
