type Cable = { headers: Record<string, string>; protocols: string[]; behind: WebSocket | null };

/** A server in front of the product, which a journey can stop and with which it can publish another service worker. */
export class Front {
  readonly #product: string;
  #server: ReturnType<typeof Bun.serve<Cable>> | null = null;
  #port = 0;
  /** Changes the service worker, as the next build does. */
  #nextBuild: string | null = null;
  /** Files that the server does not have any more. */
  readonly #removed = new Set<string>();

  constructor(product: string) {
    this.#product = product;
    this.start();
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  start(): void {
    this.#server = Bun.serve<Cable>({
      port: this.#port,
      idleTimeout: 30,
      fetch: (request, server) => {
        const data = { headers: this.#headersOf(request), protocols: protocolsOf(request), behind: null };
        return server.upgrade(request, { data }) ? undefined : this.#pass(request);
      },
      websocket: {
        open: (front) => {
          const { headers, protocols } = front.data;
          // Bun's takes headers, which the types of a page's do not know.
          const behind: WebSocket = Reflect.construct(WebSocket, [
            `${this.#product.replace("http", "ws")}/cable`,
            { headers, protocols },
          ]);
          front.data.behind = behind;
          behind.addEventListener("message", ({ data }) => front.send(String(data)));
          behind.addEventListener("close", () => front.close());
        },
        message: ({ data: { behind } }, message) => behind?.send(message),
        close: ({ data: { behind } }) => behind?.close(),
      },
    });
    this.#port = this.#server.port ?? 0;
  }

  /** From now on nothing answers, as without a network. */
  async stop(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = null;
  }

  /** @param version null: that of the product again. */
  publish(version: string | null): void {
    this.#nextBuild = version;
  }

  /** As after an update that has left nothing of the older build. */
  remove(path: string): void {
    this.#removed.add(path);
  }

  /** As the product gets them. */
  #headersOf(request: Request): Record<string, string> {
    const { cookie = "" } = Object.fromEntries(request.headers);
    return { cookie, origin: this.#product };
  }

  async #pass(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (this.#removed.has(pathname)) return new Response(null, { status: 404 });
    const headers = new Headers(request.headers);
    headers.delete("host");
    headers.set("accept-encoding", "identity");
    // What the product says is unchanged may be changed here.
    headers.delete("if-none-match");
    if (headers.has("origin")) headers.set("origin", this.#product);
    const answer = await fetch(this.#product + pathname + search, {
      method: request.method,
      headers,
      body: request.method === "GET" ? null : await request.arrayBuffer(),
      redirect: "manual",
    });
    const version = this.#nextBuild;
    if (pathname !== "/service-worker.js" || version === null) return answer;
    const script = (await answer.text()).replace(/version:"[^"]+"/, `version:"${version}"`);
    return new Response(script, {
      headers: { "content-type": "text/javascript", "cache-control": "no-cache" },
    });
  }
}

function protocolsOf(request: Request): string[] {
  return (request.headers.get("sec-websocket-protocol") ?? "").split(", ").filter((name) => name !== "");
}
