import * as v from "valibot";
import { type HttpConnection, openConnection, type RawAnswer, requestBytes } from "./http-connection.ts";
import { quantile } from "./table.ts";

/** Every page is checked for its status and size; one of so many also for its content. */
const READ_EVERY = 64;
/** What Chromium sends over plain HTTP and HTTPS. */
const ACCEPT_ENCODING = "gzip, deflate, br, zstd";
const BODY_MIN_BYTES = 1_000;

const visit = v.object({
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  /** Texts that must be in the page. */
  contains: v.array(v.string()),
});
const round = v.object({
  origin: v.string(),
  visits: v.array(visit),
  connections: v.number(),
  roundMs: v.number(),
});
/** The request for a page, and what the page must contain. */
export type Visit = v.InferOutput<typeof visit>;
/** What one round requests: all visits in turn, again and again. */
export type ClientRound = v.InferOutput<typeof round>;

export const clientReport = v.object({
  pages: v.number(),
  seconds: v.number(),
  p99Ms: v.number(),
  cpuUs: v.number(),
});
/** What the client measured. `cpuUs`: its own CPU time; close to `seconds` means that the client was the limit. */
export type ClientReport = v.InferOutput<typeof clientReport>;

/** Requests pages on all connections until the round is over. Throws for a page that is not what it should be. */
async function run({ origin, visits, connections, roundMs }: ClientRound): Promise<ClientReport> {
  const { hostname, port, host } = new URL(origin);
  const requests = visits.map((each) => {
    const headers = { host, ...each.headers, "accept-encoding": ACCEPT_ENCODING };
    return { ...each, bytes: requestBytes(`GET ${each.path}`, headers) };
  });
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection(hostname, Number(port))),
  );
  const tookMs: number[] = [];
  let sent = Math.floor(Math.random() * requests.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const keepRequesting = async (connection: HttpConnection) => {
    while (performance.now() - startedAt < roundMs) {
      const number = sent++;
      const request = requests[number % requests.length];
      if (request === undefined) throw new Error("no visits");
      const sentAt = performance.now();
      const answer = await connection.request(request.bytes);
      tookMs.push(performance.now() - sentAt);
      checkAnswer(answer, request, number % READ_EVERY === 0);
    }
  };
  await Promise.all(open.map(keepRequesting));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of open) connection.close();
  return {
    pages: tookMs.length,
    seconds,
    p99Ms: quantile(tookMs, 0.99),
    cpuUs: user + system,
  };
}

function checkAnswer(answer: RawAnswer, { path, contains }: Visit, read: boolean): void {
  if (answer.status !== 200 || answer.body.length < BODY_MIN_BYTES)
    throw new Error(`${path} answers ${answer.status}: ${answer.body.toString("utf8", 0, 500)}`);
  if (!read) return;
  const html = decode(answer);
  const missing = contains.filter((text) => !html.includes(text));
  if (missing.length > 0)
    throw new Error(`${path} does not contain ${missing.join(", ")}: ${html.slice(0, 2_000)}`);
}

function decode({ head, body }: RawAnswer): string {
  const encoding = /\r\ncontent-encoding: *(\S+)/i.exec(head)?.[1];
  const bytes = new Uint8Array(body);
  if (encoding === "zstd") return Buffer.from(Bun.zstdDecompressSync(bytes)).toString("utf8");
  if (encoding === "gzip") return Buffer.from(Bun.gunzipSync(bytes)).toString("utf8");
  if (encoding !== undefined) throw new Error(`unexpected encoding ${encoding}`);
  return body.toString("utf8");
}

if (import.meta.main) {
  process.on("message", (message) => {
    run(v.parse(round, message)).then(
      (report) => process.send?.(report),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
