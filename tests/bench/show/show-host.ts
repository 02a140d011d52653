import * as v from "valibot";
import { momentMs } from "./contract.ts";

const answer = v.object({
  event: v.object({ id: v.number(), closesAt: v.nullable(v.string()), paysAt: v.nullable(v.string()) }),
});
type EventAnswer = v.InferOutput<typeof answer>["event"];

/** A host who runs the show by the API. */
export class ShowHost {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, credentials: Record<string, string>) {
    this.#origin = origin;
    this.#headers = { ...credentials, "content-type": "application/json", accept: "application/json" };
  }

  /** Opens a question. @returns when it was sent, in milliseconds since 1970. */
  async ask(
    sessionId: number,
    { title, durationSeconds }: { title: string; durationSeconds: number },
  ): Promise<{ id: number; sentAtMs: number; closesAtMs: number }> {
    const sentAtMs = momentMs();
    const { id, closesAt } = await this.#send("POST", "/api/v1/events", {
      event: { session_id: sessionId, title, duration_seconds: durationSeconds, ask: true },
    });
    return { id, sentAtMs, closesAtMs: Date.parse(closesAt ?? "") };
  }

  /** @returns when the result is paid, in milliseconds since 1970: at once, or when the time to undo it is over. */
  async resolve(eventId: number, result: boolean, reason?: string): Promise<number> {
    const { paysAt } = await this.#send("PATCH", `/api/v1/events/${eventId}/state`, {
      event: { state_event: "resolve", result, ...(reason === undefined ? {} : { reason }) },
    });
    return paysAt === null ? momentMs() : Date.parse(paysAt);
  }

  async #send(method: string, path: string, body: object): Promise<EventAnswer> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return v.parse(answer, JSON.parse(text)).event;
  }
}
