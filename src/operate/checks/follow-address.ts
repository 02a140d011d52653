import { isIP } from "node:net";
import { connect } from "node:tls";
import { explainError } from "#src/base/describe-error.ts";
import { requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import type { Env } from "#src/settings/env.ts";
import { type Finding, type Found, well } from "./check.ts";

// Decision: who asks gets what the last try has found, and begins the next one when it is due. So nobody waits for the network, and whose
// turn it is to look tries once a minute. A machine may be kept from its own public address where players reach it: so the address
// counts as unreachable only where this process has reached it before. A certificate that has ended is one everywhere.

const ANSWERS_WITHIN_MS = 3_000;
/** A machine may be kept from its own public address, where players reach it. */
const CURE =
  "Correct PUBLIC_URL, the name's address, the proxy before the processes or its certificate. If players reach it, and only this machine " +
  "does not, all is well.";

const EVERY_MS = 60_000;
/** While something fails. */
const AGAIN_MS = 5_000;
/** A proxy that is restarted is no trouble. */
const FAILURES_MIN = 2;
const ENDS_SOON_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;
/** "2026-11-28T17:05" */
const ISO_MINUTES = 16;
const HTTPS_PORT = 443;

type Followed = { address: Found; certificate: Found };

const unknown: Followed = { address: "unknown", certificate: "unknown" };

/** When the certificate of an https address ends. Null: it cannot be asked. */
export type CertificateEnd = { endsAt: Date } | { error: string; hasEnded: boolean } | null;

/** Follows a public address, and its certificate. */
export class AddressFollower {
  readonly #try: () => Promise<{ wrong: string | null; certificate: CertificateEnd }>;
  #state = unknown;
  #wasReached = false;
  #failures = 0;
  #dueMs = 0;
  #trying: Promise<void> | null = null;

  constructor(trying: () => Promise<{ wrong: string | null; certificate: CertificateEnd }>) {
    this.#try = trying;
  }

  /** What is known. Begins a try if one is due. */
  look(): Followed {
    const nowMs = performance.now();
    // Nobody has asked for long.
    if (nowMs > this.#dueMs + EVERY_MS) this.#state = unknown;
    if (nowMs >= this.#dueMs && this.#trying === null)
      this.#trying = this.tryNow().finally(() => (this.#trying = null));
    return this.#state;
  }

  async tryNow(): Promise<void> {
    const { wrong, certificate } = await this.#try();
    this.#failures = wrong === null ? 0 : this.#failures + 1;
    this.#wasReached ||= wrong === null;
    this.#dueMs = performance.now() + (wrong === null || !this.#wasReached ? EVERY_MS : AGAIN_MS);
    this.#state = { address: this.#addressOf(wrong), certificate: certificateOf(certificate) };
  }

  #addressOf(wrong: string | null): Found {
    if (wrong === null) return "ok";
    if (!this.#wasReached) return "unknown";
    return this.#failures < FAILURES_MIN ? "ok" : { state: "unreachable", said: wrong };
  }
}

function certificateOf(found: CertificateEnd): Found {
  if (found === null) return "unknown";
  if ("error" in found) return found.hasEnded ? { state: "ended", said: found.error } : "unknown";
  const leftMs = found.endsAt.getTime() - Date.now();
  if (leftMs > ENDS_SOON_MS) return "ok";
  const at = found.endsAt.toISOString().slice(0, ISO_MINUTES).replace("T", " ");
  const said = `It ends on ${at} UTC, in ${Math.max(0, Math.floor(leftMs / DAY_MS))} days.`;
  return { state: "ending", said };
}

/** Asks a server by TLS when its certificate ends. */
export function readCertificateEnd(url: string): Promise<CertificateEnd> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:") return Promise.resolve(null);
  const { promise, resolve } = Promise.withResolvers<CertificateEnd>();
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const server = { host, port: port === "" ? HTTPS_PORT : Number(port) };
  // A number is no name of a server.
  const socket = connect(isIP(host) === 0 ? { ...server, servername: host } : server);
  const timer = setTimeout(() => resolve(null), ANSWERS_WITHIN_MS);
  socket.once("secureConnect", () => {
    const endsAt = new Date(socket.getPeerCertificate().valid_to);
    resolve(Number.isNaN(endsAt.getTime()) ? null : { endsAt });
  });
  socket.on("error", (error) => {
    const hasEnded = Reflect.get(error, "code") === "CERT_HAS_EXPIRED";
    resolve({ error: hasEnded ? "It has ended: browsers refuse the page." : error.message, hasEnded });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Whether PUBLIC_URL leads to this product, as this machine sees it. A proxy may be started later, so nothing is refused. */
export async function findAddress({ publicUrl }: Pick<Env, "publicUrl">): Promise<Finding> {
  const request = { url: `${publicUrl}/up`, method: "GET", headers: { accept: "application/json" } };
  try {
    const answer = await requestOutside(request, { publicOnly: false, timeoutMs: ANSWERS_WITHIN_MS });
    if (answer.status === 200 && startOf(answer).includes('"up":true')) return well(publicUrl);
    return {
      state: "other",
      said: `${publicUrl} answers ${answer.status}, and not as Called It does.`,
      cure: CURE,
    };
  } catch (error) {
    const [said = ""] = explainError(error).split("\n");
    return { state: "unreachable", said: `${publicUrl} does not answer this machine: ${said}`, cure: CURE };
  }
}

const followers = new Map<string, AddressFollower>();

/** What is known of PUBLIC_URL and its certificate. In production alone: elsewhere it may lead to nowhere. */
export function followAddress({ publicUrl, production }: Pick<Env, "publicUrl" | "production">): Followed {
  if (!production) return { address: "ok", certificate: "ok" };
  const follower =
    followers.get(publicUrl) ??
    new AddressFollower(async () => {
      const [{ state, said }, certificate] = await Promise.all([
        findAddress({ publicUrl }),
        readCertificateEnd(publicUrl),
      ]);
      return { wrong: state === "ok" ? null : (said ?? state), certificate };
    });
  followers.set(publicUrl, follower);
  return follower.look();
}
