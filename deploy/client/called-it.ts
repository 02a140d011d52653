// The client of Called It for programs. Its types are made from the documents of the API with each release (tests/packages/write-client.ts).

/** Of an endpoint: what a request has, and what is answered. */
type Shape = { params?: object; query?: object; body?: object; answer: unknown };
/** It may be left out where it has nothing that must be said. */
type Needed<Request> = {} extends Request ? [request?: Request] : [request: Request];
type Place = { epoch: string; offset: number };
/** Frames of the cable: about the connection, and with a message. A time is in Unix seconds. */
type Sign = { type: string; message?: number; reconnect?: boolean };
type Told<Message> = Place & {
  type?: undefined;
  stream_id?: string;
  message: Message & { detail: { serverTime: string } };
};

/** The address of the server, and a program's access token. Without one it signs in by a request, as a browser does. */
export type Options = { url: string; token?: string };

/** An answer outside 200-299. */
export class CalledItError extends Error {
  override readonly name = "CalledItError";
  readonly status: number;
  readonly code: string;
  /** When to try again. */
  readonly retryAfterSeconds: number;

  constructor({ status, headers }: Response, { error = "", code = "" }: { error?: string; code?: string }) {
    super(error || `It answered ${status}.`);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = Number(headers.get("retry-after")) || 0;
  }
}

/** After a break it comes back, at first soon. A server that is there sends a ping each 3 s. */
const BACK_AFTER_MS = { min: 500, max: 15_000 };
const SILENT_MS = 12_000;

export class CalledIt<Endpoints extends { [Route in keyof Endpoints]: Shape }, Message extends object> {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #cookies = new Map<string, string>();
  #csrfToken = "";

  constructor({ url, token }: Options) {
    this.#url = url.replace(/\/$/, "");
    this.#token = token;
  }

  /** Asks an endpoint, named by method and path as in the reference: `ask("GET /api/v1/events/:id", { params: { id: 3 } })`. */
  ask<Route extends keyof Endpoints & string>(
    route: Route,
    ...request: Needed<Omit<Endpoints[Route], "answer">>
  ): Promise<Endpoints[Route]["answer"]>;
  async ask(route: string, { params = {}, query = {}, body }: Omit<Shape, "answer"> = {}): Promise<unknown> {
    const [method = "GET", pattern = ""] = route.split(" ");
    const values = new Map(Object.entries(params));
    const path = pattern.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(values.get(name))),
    );
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    if (method !== "GET" && this.#token === undefined && this.#csrfToken === "")
      await this.#send("GET", "/api/v1/sessions");
    const answer = await this.#send(method, search.size > 0 ? `${path}?${search}` : path, body);
    const text = await answer.text();
    const json = answer.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text;
    if (!answer.ok) throw new CalledItError(answer, typeof json === "object" ? json : {});
    return json;
  }

  /**
   * Hears what happens in a session, until the returned function is called. After a break it goes on from the last message that it had.
   * @param onGap more was missed than the server keeps: read the data again.
   */
  follow(session: string | number, onMessage: (message: Message) => void, onGap = () => {}): () => void {
    const identifier = JSON.stringify({ channel: "SessionsChannel", id: session });
    // The last message of each stream: the session and its chat have one each. The server's second is for one that has said nothing yet.
    const places = new Map<string, Place>();
    let since: number | null = null;
    let waitMs = BACK_AFTER_MS.min;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop = () => {};
    const takeSign = ({ type, message, reconnect }: Sign) => {
      if (type === "ping") since = message ?? since;
      if (type === "confirm_subscription") waitMs = BACK_AFTER_MS.min;
      if (type === "reject_subscription" || reconnect === false) stop();
      if (type !== "reject_history") return;
      places.clear();
      onGap();
    };
    const take = ({ message, stream_id: stream, epoch, offset }: Told<Message>) => {
      if (!("sourceType" in message)) return;
      since = Math.floor(Date.parse(message.detail.serverTime) / 1_000);
      if (stream !== undefined) places.set(stream, { epoch, offset });
      onMessage(message);
    };
    const open = () => {
      const socket = this.#socket();
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => socket.close(), SILENT_MS);
      };
      heard();
      socket.onmessage = ({ data }) => {
        heard();
        const frame: Sign | Told<Message> = JSON.parse(String(data));
        const history = since === null ? null : { since, streams: Object.fromEntries(places) };
        if (frame.type === "welcome")
          socket.send(JSON.stringify({ command: "subscribe", identifier, history }));
        else if (frame.type === undefined) take(frame);
        else takeSign(frame);
      };
      socket.onclose = () => {
        clearTimeout(timer);
        timer = setTimeout(open, waitMs);
        waitMs = Math.min(waitMs * 2, BACK_AFTER_MS.max);
      };
      stop = () => {
        socket.onclose = null;
        clearTimeout(timer);
        socket.close();
      };
    };
    open();
    return () => stop();
  }

  #socket(): WebSocket {
    const headers = { ...this.#credentials(), origin: new URL(this.#url).origin };
    // Bun and Node take headers, which browsers do not have and their types do not name.
    const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
    const address = `${this.#url.replace(/^http/, "ws")}/cable`;
    return new Socket(address, { protocols: ["actioncable-v1-ext-json"], headers });
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const headers = {
      accept: "application/json",
      ...this.#credentials(),
      ...(this.#csrfToken !== "" && { "x-csrf-token": this.#csrfToken }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(this.#url + path, init);
    this.#csrfToken = answer.headers.get("x-csrf-token") ?? this.#csrfToken;
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  #credentials(): Record<string, string> {
    if (this.#token !== undefined) return { authorization: `Bearer ${this.#token}` };
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return cookies.length === 0 ? {} : { cookie: cookies.join("; ") };
  }
}
