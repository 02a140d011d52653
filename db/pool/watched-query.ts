import type { SQL } from "bun";

// Bun starts a query only when somebody awaits it. So these wrap a client and its queries, and see the moment when one is sent.

/** Is called before a statement is sent; what it returns is called with the answer, or with the error. */
export type StatementWatch = (text: string) => ((error?: unknown) => void) | null;

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
export function watchClient<Client extends SQL>(watching: Watching<Client>): Client {
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
