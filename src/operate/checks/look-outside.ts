import { randomBytes, randomUUID } from "node:crypto";
import { promises as dns } from "node:dns";
import { readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { connect } from "node:tls";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { streamParts } from "#src/base/stream-parts.ts";
import { type OutsideOptions, requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import { isTrustedPeer } from "#src/http/receive-request.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import type { Env } from "#src/settings/env.ts";
import { type Finding, type Found, well } from "./check.ts";

// Decision: the process whose turn it is looks at PUBLIC_URL as a player's browser does, about once a minute, in production. Nobody waits for
// the network: who asks gets what the last look has found. What is wrong is said at the second look in a row, because a proxy that is
// restarted is no trouble. A machine may be kept from its own public address, and have no name server: both count only where they have
// worked on this machine before, which a file in DATA_DIR keeps over a restart.

const ANSWERS_WITHIN_MS = 3_000;
/** With the look that confirms it, a fault is told within a minute. */
const EVERY_MS = 45_000;
const CONFIRM_MS = 5_000;
/** While something is wrong. */
const AGAIN_MS = 15_000;
const ENDS_SOON_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;
/** "2026-11-28T17:05" */
const ISO_MINUTES = 16;
const HTTPS_PORT = 443;

export const outsideParts = ["names", "certificate", "address", "cable", "proxy"] as const;
type Part = (typeof outsideParts)[number];
const knownFirst = new Set<Part>(["names", "address"]);
export type Outside = Record<Part, Found>;
const allOf = (found: Found): Outside => ({
  names: found,
  certificate: found,
  address: found,
  cable: found,
  proxy: found,
});

const isWrong = (found: Found) => typeof found !== "string" && found.state !== "ok";

export class OutsideFollower {
  readonly #look: () => Promise<Outside>;
  readonly #file: string;
  /** What was wrong at the last look. */
  #wrong = new Set<Part>();
  #worked: Set<string> | null = null;
  #said = allOf("unknown");
  #dueMs = 0;
  #looking: Promise<void> | null = null;

  /** @param file keeps which parts have worked. */
  constructor(look: () => Promise<Outside>, file: string) {
    this.#look = look;
    this.#file = file;
  }

  /** What is known. @param looks whether a look begins, if one is due. */
  read(looks: boolean): Outside {
    const nowMs = performance.now();
    // It is another process's turn.
    if (nowMs > this.#dueMs + EVERY_MS) this.#said = allOf("unknown");
    if (looks && nowMs >= this.#dueMs && this.#looking === null)
      this.#looking = this.lookNow().finally(() => (this.#looking = null));
    return this.#said;
  }

  async lookNow(): Promise<void> {
    const [found, worked] = await Promise.all([this.#look(), this.#readWorked()]);
    const counts = (part: Part) => isWrong(found[part]) && (worked.has(part) || !knownFirst.has(part));
    const wrong = new Set(outsideParts.filter(counts));
    const said = { ...found };
    for (const part of outsideParts)
      if (isWrong(found[part]) && !(wrong.has(part) && this.#wrong.has(part))) said[part] = "unknown";
    const againMs = [...wrong].every((part) => this.#wrong.has(part)) ? AGAIN_MS : CONFIRM_MS;
    this.#said = said;
    this.#wrong = wrong;
    this.#dueMs = performance.now() + (wrong.size === 0 ? EVERY_MS : againMs);
    const works = [...knownFirst].filter((part) => !isWrong(found[part]) && found[part] !== "unknown");
    if (works.every((part) => worked.has(part))) return;
    for (const part of works) worked.add(part);
    // A folder that takes no file is told by another check.
    await writeFile(this.#file, [...worked].join("\n")).catch(() => undefined);
  }

  async #readWorked(): Promise<Set<string>> {
    this.#worked ??= new Set((await readFile(this.#file, "utf8").catch(() => "")).split("\n"));
    return this.#worked;
  }
}

const followers = new WeakMap<Env, OutsideFollower>();

/** What is known of PUBLIC_URL, as players reach it. In production alone: elsewhere it may lead to nowhere. */
export function followOutside(deps: Pick<Deps, "env" | "redis" | "hasTurn">): Outside {
  const { env, hasTurn = false } = deps;
  if (!env.production) return allOf("ok");
  const file = path.join(env.dataDir, `reached-${new URL(env.publicUrl).hostname}`);
  const follower = followers.get(env) ?? new OutsideFollower(() => lookFromOutside(deps), file);
  followers.set(env, follower);
  return follower.read(hasTurn);
}

/** Looks once. What the payment provider says is kept by the provider. */
export async function lookFromOutside(deps: Pick<Deps, "env" | "redis">): Promise<Outside> {
  const { publicUrl, payments } = deps.env;
  if (payments.provider !== "none") void providerOf(deps.env).checkMessages();
  const [names, certificate, address, cable, proxy] = await Promise.all([
    findNames(publicUrl),
    readCertificateEnd(publicUrl).then(certificateOf),
    findAddress(deps.env),
    findCable(publicUrl),
    findProxy(deps),
  ]);
  const behind = isWrong(address) ? allOf("unknown") : { cable, proxy };
  return { ...behind, names, certificate, address };
}

/** Over a connection of its own, which tells more than one that was good before. */
const ask = (url: string, headers: Record<string, string>, more: Partial<OutsideOptions> = {}) =>
  requestOutside(
    { url, method: "GET", headers },
    { publicOnly: false, timeoutMs: ANSWERS_WITHIN_MS, agent: false, ...more },
  );

/** What is wrong, without its cure. */
const reasonOf = (error: unknown) => explainError(error).split("\n")[0] ?? "";

/** Whether the name server of this machine knows the name of an address. @param servers in the place of this machine's own. */
export async function findNames(url: string, servers?: readonly string[]): Promise<Found> {
  const { hostname } = new URL(url);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return "unknown";
  const resolver = new dns.Resolver({ timeout: ANSWERS_WITHIN_MS, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const code = await resolver.resolve4(hostname).then(
    () => null,
    (error: unknown) => (error instanceof Error ? String(Reflect.get(error, "code")) : ""),
  );
  // It may have addresses of IPv6 alone.
  if (code === null || code === "ENODATA") return "ok";
  const says = code === "ENOTFOUND" ? "does not know" : "says nothing about";
  const who = `The name server (${resolver.getServers().join(", ")})`;
  return { state: "missing", said: `${who} ${says} ${hostname} (${code}).` };
}

/** When the certificate of an https address ends. Null: it cannot be asked. */
type CertificateEnd = { endsAt: Date } | { error: string; hasEnded: boolean } | null;

export function certificateOf(found: CertificateEnd): Found {
  if (found === null) return "unknown";
  if ("error" in found) return found.hasEnded ? { state: "ended", said: found.error } : "unknown";
  const leftMs = found.endsAt.getTime() - Date.now();
  if (leftMs > ENDS_SOON_MS) return "ok";
  const at = found.endsAt.toISOString().slice(0, ISO_MINUTES).replace("T", " ");
  const days = Math.max(0, Math.floor(leftMs / DAY_MS));
  return { state: "ending", said: `It ends on ${at} UTC, in ${days} ${days === 1 ? "day" : "days"}.` };
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

/**
 * Whether the pages of this product are at PUBLIC_URL, as this machine sees it; also one that says what the product lacks.
 */
export async function findAddress({ publicUrl, site }: Pick<Env, "publicUrl" | "site">): Promise<Finding> {
  try {
    const answer = await ask(`${publicUrl}/join`, { accept: "text/html" });
    const start = startOf(answer);
    if (start.startsWith("<!doctype html>") && start.includes(Bun.escapeHTML(site.name)))
      return well(publicUrl);
    const said = `${publicUrl} answers ${answer.status}, and not with a page of Called It.`;
    return { state: "unreachable", said };
  } catch (error) {
    return { state: "unreachable", said: `${publicUrl} does not answer this machine: ${reasonOf(error)}` };
  }
}

/** Whether a socket opens at PUBLIC_URL. It is closed at once. */
async function findCable(publicUrl: string): Promise<Found> {
  const upgrade = {
    origin: new URL(publicUrl).origin,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
  try {
    const { status } = await ask(`${publicUrl}/cable`, upgrade);
    if (status === 101) return "ok";
    // A process that stops, or is busy.
    if (status === 503) return "unknown";
    return { state: "refused", said: `${publicUrl}/cable answers ${status} where a socket should open.` };
  } catch (error) {
    return { state: "refused", said: `${publicUrl}/cable opens no socket: ${reasonOf(error)}` };
  }
}

// What a proxy does to a request is known where it arrives. So a look sends a secret that Redis keeps for it, and that is good for one
// request: the process that takes it learns how that request came, and nobody else can ask. The answer comes in two parts, like a page.

const LOOK_HEADER = "x-called-it-look";
const LOOK_KEY = "look:";
const LOOK_FOR_MS = 10_000;
/** Between the parts of the answer. */
const APART_MS = 1_000;
const LAST = "whole";
const seenForm = v.pipe(v.string(), v.parseJson(), v.object({ sharing: v.nullable(v.string()) }));

/** What the proxy does to addresses and pages. Where another installation answers, or Redis does not, nothing is known. */
async function findProxy({ env: { publicUrl }, redis }: Pick<Deps, "env" | "redis">): Promise<Found> {
  const secret = randomUUID();
  try {
    await redis.set(`${LOOK_KEY}${secret}`, "", "PX", LOOK_FOR_MS);
    const headers = { accept: "text/html", [LOOK_HEADER]: secret };
    const answer = await ask(`${publicUrl}/up`, headers, { partsWithinMs: APART_MS / 10 });
    const [line, last] = startOf(answer).split("\n");
    const { output, success } = v.safeParse(seenForm, line);
    if (!success) return "unknown";
    if (output.sharing !== null) return { state: "sharing", said: output.sharing };
    if (last !== LAST) return "ok";
    return {
      state: "buffering",
      said: "It passes an answer on once all of it is there.",
      cure: 'Pages come late. Switch the proxy\'s buffering of answers off, and HTTP/1.1 on (deploy/machines.md, "Behind a proxy").',
    };
  } catch {
    return "unknown";
  }
}

/** Answers a look of this installation with what is seen of it here; null: the request is none. */
export async function answerLook(
  { env, redis }: Pick<Deps, "env" | "redis">,
  context: RequestContext,
): Promise<Response | null> {
  const secret = context.path === "/up" ? context.request.headers.get(LOOK_HEADER) : null;
  if (secret === null || !v.is(v.pipe(v.string(), v.uuid()), secret)) return null;
  if ((await redis.del(`${LOOK_KEY}${secret}`).catch(() => 0)) === 0) return null;
  const seen = JSON.stringify({ sharing: sharingOf(env, context) });
  return new Response(streamParts(inParts(`${seen}\n`, LAST)), {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

async function* inParts(first: string, last: string) {
  yield first;
  await Bun.sleep(APART_MS);
  yield last;
}

/** Why all players behind the proxy have one address here; null: each has its own. */
function sharingOf({ trustedProxies, publicUrl }: Env, { peer, request }: RequestContext): string | null {
  const isForwarded = request.headers.has("x-forwarded-for");
  if (!isTrustedPeer(peer, trustedProxies)) {
    // TLS ends in a proxy.
    if (!isForwarded && !publicUrl.startsWith("https:")) return null;
    return `TRUSTED_PROXIES does not name the proxy that requests come from: ${peer}.`;
  }
  return isForwarded ? null : `The proxy ${peer} sends no X-Forwarded-For.`;
}
