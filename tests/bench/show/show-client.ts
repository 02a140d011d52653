import { CSRF_HEADER } from "#src/http/contract.ts";
import { type HttpConnection, openConnection, type RawAnswer } from "../http-connection.ts";
import { FROM, type Joining } from "./contract.ts";

/** A player's browser, as requests see it. */
export type Browser = { cookie: string; csrfToken: string; address: string };

/** The requests of all players of a process. */
export class ShowClient {
  readonly #connections: Connections;
  readonly #host: string;
  readonly #session: Joining["session"];

  constructor({ port, session }: Pick<Joining, "port" | "session">) {
    this.#connections = new Connections(port);
    this.#host = `127.0.0.1:${port}`;
    this.#session = session;
  }

  /** Opens the Action page. */
  async openPage(browser: Browser): Promise<void> {
    const headers = { accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" };
    const answer = await this.#send(`GET /sessions/${this.#session.slug}`, browser, { headers });
    if (answer.status !== 200) throw new Error(`a page answers ${answer.status}`);
  }

  placeCall(browser: Browser, call: { spotId: number; wagerCents: number; key: string }): Promise<RawAnswer> {
    const body = { call: { spot_id: call.spotId, wager: call.wagerCents / 100 } };
    return this.#send("POST /api/v1/calls", browser, { headers: { "idempotency-key": call.key }, body });
  }

  async chat(browser: Browser, text: string): Promise<boolean> {
    const body = { message: { session_id: this.#session.id, body: text } };
    return (await this.#send("POST /api/v1/messages", browser, { body })).status === 201;
  }

  async react(browser: Browser): Promise<boolean> {
    const path = `POST /api/v1/sessions/${this.#session.slug}/reactions`;
    return (await this.#send(path, browser, { body: { reaction: { kind: "fire" } } })).status < 300;
  }

  close(): void {
    this.#connections.close();
  }

  #send(
    request: string,
    { cookie, csrfToken, address }: Browser,
    { headers = {}, body }: { headers?: Record<string, string>; body?: object },
  ): Promise<RawAnswer> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const ofBody = {
      accept: "application/json",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      [CSRF_HEADER]: csrfToken,
    };
    const all = {
      host: this.#host,
      cookie,
      [FROM]: address,
      ...(body === undefined ? {} : ofBody),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return this.#connections.request(Buffer.from([`${request} HTTP/1.1`, ...lines, "", text].join("\r\n")));
  }
}

/** An unused connection is used again within this time, as proxies do: the server closes it later than that. */
const REUSED_WITHIN_MS = 60_000;

/** The connections of a proxy: as many as there are requests at once, each used again. */
class Connections {
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
