import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { chromiumInstallHint, findChromium } from "#tests/support/chromium.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { categories, type Measured, measurePage } from "./measure-page.ts";
import type { Visit } from "./open-browser.ts";

// bun run lighthouse: measures the sign-in page, the Action page of a live session and the list of sessions with Lighthouse, and
// writes SCORES.md. It ends with 1 if a score is below the goal. Nothing else should run on the machine meanwhile.
const GOAL = 95;
/** The median counts: a single run of a busy moment says little. */
const RUNS = 3;
const FILE = path.join(import.meta.dir, "SCORES.md");

const chromium = findChromium();
if (chromium === null) throw new Error(chromiumInstallHint);
const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir);
try {
  const visits = await planVisits(await product.url);
  const rows: string[] = [];
  for (const [name, visit] of Object.entries(visits)) {
    const runs: Measured[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measurePage(visit, chromium));
    rows.push(rowOf(name, runs));
    print(rows.at(-1) ?? "");
    for (const lost of new Set(runs.flatMap((run) => run.lost))) print(`  ${lost}`);
  }
  writeFileSync(FILE, document(rows));
} finally {
  product.kill("SIGTERM");
  await product.exited;
  remove();
}

/** The pages: nobody is signed in on the first, a guest plays on the second, the admin of the demo opens the third. */
async function planVisits(origin: string): Promise<Record<string, Visit>> {
  const guest = await signIn(origin, "/users/guest", {});
  const active = v.object({ sessions: v.tuple([v.object({ slug: v.string() })]) });
  const slug = await waitFor("a live session", async () => {
    const answer = await fetch(`${origin}/api/v1/sessions?active=true`, { headers: { cookie: guest } });
    const read = v.safeParse(active, await answer.json());
    return read.success ? read.output.sessions[0].slug : null;
  });
  // Players are led to the live session.
  const host = { email: "admin@example.test", password: "called-it-demo" };
  const admin = await signIn(origin, "/users/sign_in", { user: host });
  return {
    "sign-in": { url: `${origin}/users/sign_in`, cookie: "" },
    Action: { url: `${origin}/sessions/${slug}`, cookie: guest },
    sessions: { url: `${origin}/sessions`, cookie: admin },
  };
}

/** Signs in. @returns the cookies of the browser. */
async function signIn(origin: string, address: string, body: object): Promise<string> {
  const headers = { accept: "application/json", "content-type": "application/json", origin };
  const before = await fetch(`${origin}/api/v1/users/me`, { headers });
  const token = before.headers.get("x-csrf-token") ?? "";
  const answer = await fetch(origin + address, {
    method: "POST",
    headers: { ...headers, "x-csrf-token": token, cookie: cookiesOf(before) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return cookiesOf(answer);
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function rowOf(name: string, runs: readonly Measured[]): string {
  const scores = categories.map((category) => median(runs.map((run) => run.scores[category])));
  if (scores.some((score) => score < GOAL)) process.exitCode = 1;
  return `| ${[name, ...scores, runs[0]?.facts ?? ""].join(" | ")} |`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function document(rows: readonly string[]): string {
  const model = cpus()[0]?.model ?? "unknown";
  return `# Lighthouse

Measured by \`bun run lighthouse\` on ${new Date().toISOString().slice(0, 10)}: the demo on this machine (${cpus().length} cores, ${model.trim()}),
Lighthouse 13.5.0 with its defaults, a phone on a slow line. The scores are the median of ${RUNS} runs, the times those of the first
one. The goal is ${GOAL} in each.

| page | performance | accessibility | best practices | SEO | first paint, largest paint, blocked, layout shift |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.join("\n")}
`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
