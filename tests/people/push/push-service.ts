import { createPublicKey, verify } from "node:crypto";
import * as v from "valibot";
import { PushBrowser } from "./push-browser.ts";

const VAPID = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/;

/** A message as the push service got it. */
export type Delivery = {
  /** Decrypted by the browser that it is for. */
  message: unknown;
  ttl: string | null;
  urgency: string | null;
  topic: string | null;
  /** The key that signed the request, and what was signed. Its signature is right. */
  signedBy: string;
  claims: { aud: string; exp: number; sub: string };
};

/** A push service on this machine. It checks what RFC 8030, 8188, 8291 and 8292 ask of senders. */
export class PushService {
  readonly #browsers = new Map<string, PushBrowser>();
  readonly #deliveries = new Map<string, Delivery[]>();
  readonly #server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#answer(request) });
  /** What it answers next, by the path of the address; 201 where nothing is said. */
  readonly answers = new Map<string, Response[]>();

  get origin(): string {
    return this.#server.url.origin;
  }

  /** A browser that subscribes here. */
  browser(): PushBrowser {
    const browser = new PushBrowser(`${this.origin}/${crypto.randomUUID()}`);
    this.#browsers.set(new URL(browser.endpoint).pathname, browser);
    return browser;
  }

  deliveriesTo({ endpoint }: PushBrowser): readonly Delivery[] {
    return this.#deliveries.get(new URL(endpoint).pathname) ?? [];
  }

  /** Answers the next message to a browser in this way. */
  answerNext({ endpoint }: PushBrowser, status: number, headers: Record<string, string> = {}): void {
    const path = new URL(endpoint).pathname;
    this.answers.set(path, [...(this.answers.get(path) ?? []), new Response(null, { status, headers })]);
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const browser = this.#browsers.get(path);
    const signed = readSignature(request.headers.get("authorization") ?? "");
    if (browser === undefined || request.method !== "POST") return new Response(null, { status: 404 });
    if (signed === null || request.headers.get("content-encoding") !== "aes128gcm")
      return new Response(null, { status: 400 });
    const message = browser.read(Buffer.from(await request.arrayBuffer()));
    const answer = this.answers.get(path)?.shift();
    if (answer !== undefined) return answer;
    const [ttl, urgency, topic] = ["ttl", "urgency", "topic"].map((name) => request.headers.get(name));
    const delivery = { message, ttl: ttl ?? null, urgency: urgency ?? null, topic: topic ?? null, ...signed };
    this.#deliveries.set(path, [...(this.#deliveries.get(path) ?? []), delivery]);
    return new Response(null, { status: 201 });
  }
}

const claimsSchema = v.object({ aud: v.string(), exp: v.number(), sub: v.string() });

/** @returns null if the signature of RFC 8292 is missing or wrong. */
function readSignature(authorization: string): Pick<Delivery, "signedBy" | "claims"> | null {
  const [, head = "", body = "", signature = "", signedBy = ""] = VAPID.exec(authorization) ?? [];
  if (signedBy === "") return null;
  const point = Buffer.from(signedBy, "base64url");
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) return null;
  return { signedBy, claims: v.parse(claimsSchema, JSON.parse(Buffer.from(body, "base64url").toString())) };
}
