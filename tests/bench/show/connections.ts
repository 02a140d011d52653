import { type HttpConnection, openConnection, type RawAnswer } from "../http-connection.ts";

/** An unused connection is used again within this time, as proxies do: the server closes it later than that. */
const REUSED_WITHIN_MS = 60_000;

/** The connections of a proxy: as many as there are requests at once, each used again. */
export class Connections {
  readonly #port: number;
  readonly #free: { connection: HttpConnection; sinceMs: number }[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async request(bytes: Buffer): Promise<RawAnswer> {
    const connection = this.#take() ?? (await openConnection("127.0.0.1", this.#port));
    const answer = await connection.request(bytes);
    this.#free.push({ connection, sinceMs: performance.now() });
    return answer;
  }

  close(): void {
    for (const { connection } of this.#free) connection.close();
  }

  #take(): HttpConnection | undefined {
    for (;;) {
      const free = this.#free.pop();
      if (free === undefined) return undefined;
      const isFresh = performance.now() - free.sinceMs < REUSED_WITHIN_MS;
      if (isFresh && free.connection.isOpen()) return free.connection;
      free.connection.close();
    }
  }
}
