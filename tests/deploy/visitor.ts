const WITHIN_MS = 120_000;
const POLL_MS = 500;
/** Of the accounts that the visitors of a new machine make. */
export const PASSWORD = "a password of a first account 7";

/** A browser: its cookies, and the token that its changes carry. */
export class Visitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  #token = "";

  /**
   * @param origin of the product, such as `http://localhost:3000`.
   * @param cookie what a browser has that was here before, as a header has it.
   */
  constructor(origin: string, cookie = "") {
    this.#origin = origin;
    for (const each of cookie.split("; ").filter((text) => text !== "")) this.#keep(each);
  }

  #keep(cookie: string): void {
    const [name = "", value = ""] = cookie.split(/=(.*)/);
    this.#cookies.set(name, value);
  }

  /** The cookies, as a header has them. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Sends a request. @returns the decoded answer. @throws if it is not a success. */
  async send(method: string, path: string, body?: object, headers: object = {}): Promise<unknown> {
    if (this.#token === "" && method !== "GET") await this.send("GET", "/api/v1/front_door");
    const answer = await fetch(this.#origin + path, {
      method,
      headers: {
        accept: "application/json",
        origin: this.#origin,
        cookie: this.cookie,
        "x-csrf-token": this.#token,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line.split(";")[0] ?? "");
    this.#token = answer.headers.get("x-csrf-token") ?? this.#token;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }
}

/** Asks again and again until something is found. */
export async function until<Found>(what: string, find: () => Promise<Found | null>): Promise<Found> {
  const end = Date.now() + WITHIN_MS;
  while (Date.now() < end) {
    const found = await find();
    if (found !== null) return found;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`${what} did not come within ${WITHIN_MS} ms.`);
}
