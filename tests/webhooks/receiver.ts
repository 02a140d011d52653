/** A message as a receiver got it. */
export type ReceivedMessage = {
  id: string;
  type: string;
  signature: string;
  /** Those of Standard Webhooks. */
  standard: Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>;
  /** The text of the request. */
  body: string;
};

/** A program on this machine that takes messages of webhooks over HTTP. */
export class Receiver {
  readonly received: ReceivedMessage[] = [];
  /** What it answers next; 204 where nothing is said. */
  readonly #answers: (Response | Promise<Response>)[] = [];
  readonly #server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#take(request) });

  get url(): string {
    return `${this.#server.url.origin}/called-it`;
  }

  /** Answers the next requests in this way, in their order. */
  answerNext(...answers: (Response | Promise<Response>)[]): void {
    this.#answers.push(...answers);
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #take(request: Request): Promise<Response> {
    const header = (name: string) => request.headers.get(`x-called-it-${name}`) ?? "";
    const standard = (name: string) => request.headers.get(`webhook-${name}`) ?? "";
    this.received.push({
      id: header("id"),
      type: header("type"),
      signature: header("signature"),
      standard: {
        "webhook-id": standard("id"),
        "webhook-timestamp": standard("timestamp"),
        "webhook-signature": standard("signature"),
      },
      body: await request.text(),
    });
    return this.#answers.shift() ?? new Response(null, { status: 204 });
  }
}
