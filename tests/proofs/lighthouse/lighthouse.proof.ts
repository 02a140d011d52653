import { expect, test } from "bun:test";
import puppeteer from "puppeteer-core";
import * as v from "valibot";
import { ownVariables } from "#src/settings/env.ts";
import { openBrowser } from "#tests/people/users/person.ts";
import { figure } from "#tests/prove/figure.ts";
import { startFileProduct } from "#tests/support/after-file.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// The sign-in page, the Action page of a live session and the list of sessions: the demo, as a phone on a slow line (Lighthouse's
// defaults). Nothing else should run on the machine meanwhile.
const GOAL = 95;
/** The median counts: a single run of a busy moment says little. */
const RUNS = 3;

type Cookies = ReadonlyMap<string, string>;
/** The address of a page, and the cookies of the player who opens it; none for nobody. */
type Visit = { url: string; cookies: Cookies };

test(`Lighthouse gives each page ${GOAL} of 100 or more in each category that counts for it`, async () => {
  const chromium = requireChromium();
  const product = startFileProduct();
  const low: string[] = [];
  for (const [name, visit] of Object.entries(await planVisits(await product.url))) {
    const runs: Measured[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measurePage(visit, chromium));
    const scores = categories.map((category) => median(runs.map((run) => run.scores[category])));
    figure(`${name}: ${scores.join(", ")} (${runs[0]?.facts ?? ""})`);
    // robots.txt keeps search engines away from what needs a sign-in.
    const counted = scores.filter((_, index) => categories[index] !== "seo" || visit.cookies.size === 0);
    if (counted.some((score) => score < GOAL)) low.push(name, ...runs.flatMap(({ lost }) => lost));
  }
  expect([...new Set(low)]).toEqual([]);
});

/** The pages: nobody is signed in on the first, a guest plays on the second, the admin of the demo opens the third. */
async function planVisits(origin: string): Promise<Record<string, Visit>> {
  const guest = await signIn(origin, "/users/guest", {});
  const active = v.object({ sessions: v.tuple([v.object({ slug: v.string() })]) });
  const slug = await waitFor("a live session", async () => {
    const cookie = [...guest].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${origin}/api/v1/sessions?active=true`, { headers: { cookie } });
    const read = v.safeParse(active, await answer.json());
    return read.success ? read.output.sessions[0].slug : null;
  });
  // Players are led to the live session.
  const host = { email: "admin@example.test", password: "called-it-demo" };
  const admin = await signIn(origin, "/users/sign_in", { user: host });
  return {
    "sign-in": { url: `${origin}/users/sign_in`, cookies: new Map() },
    Action: { url: `${origin}/sessions/${slug}`, cookies: guest },
    sessions: { url: `${origin}/sessions`, cookies: admin },
  };
}

async function signIn(origin: string, address: string, body: object): Promise<Cookies> {
  const person = await openBrowser({ handle: (request) => fetch(request) }, origin);
  const answer = await person.send("POST", address, { body, headers: { origin } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return person.cookies;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Not a dependency: it is 176 MB, and this command alone uses it. */
const LIGHTHOUSE = "lighthouse@13.5.0";

const category = v.object({
  score: v.nullable(v.number()),
  auditRefs: v.array(v.object({ id: v.string(), weight: v.number() })),
});
const audit = v.object({
  score: v.nullable(v.number()),
  title: v.string(),
  displayValue: v.optional(v.string()),
});
const report = v.object({
  finalDisplayedUrl: v.string(),
  categories: v.object({
    performance: category,
    accessibility: category,
    "best-practices": category,
    seo: category,
  }),
  audits: v.record(v.string(), audit),
});

/** The four categories, in the order of the report. */
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];
/** What Lighthouse says of a page: 0 to 100 for each category, its main times, and what cost points. */
type Measured = { scores: Record<Category, number>; facts: string; lost: readonly string[] };

/** Measures a page once, as a phone on a slow line (Lighthouse's default), in a browser that has never been there. */
async function measurePage({ url, cookies }: Visit, chromium: string): Promise<Measured> {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: chromiumFlags,
    defaultViewport: null,
  });
  try {
    const { hostname: domain } = new URL(url);
    await browser.setCookie(...[...cookies].map(([name, value]) => ({ name, value, domain })));
    const port = `--port=${new URL(browser.wsEndpoint()).port}`;
    // The browser is new, and the sign-in must stay.
    const words = [LIGHTHOUSE, url, "--quiet", "--output=json", port, "--disable-storage-reset"];
    const run = Bun.spawn([process.execPath, "x", ...words], {
      env: ownVariables(),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [answer, said] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ]);
    if ((await run.exited) !== 0) throw new Error(`Lighthouse ended with an error:\n${said}`);
    const read = v.parse(report, JSON.parse(answer));
    if (read.finalDisplayedUrl !== url) throw new Error(`${url} led to ${read.finalDisplayedUrl}.`);
    return present(read);
  } finally {
    await browser.close();
  }
}

function present({ categories: found, audits }: v.InferOutput<typeof report>): Measured {
  const scoreOf = (name: Category) => Math.round((found[name].score ?? 0) * 100);
  const value = (id: string) => audits[id]?.displayValue?.replaceAll("\u00a0", " ") ?? "-";
  const lost = categories.flatMap((name) =>
    found[name].auditRefs.flatMap(({ id, weight }) => {
      const of = audits[id];
      if (weight === 0 || of === undefined || of.score === null || of.score >= 0.9) return [];
      return [`${name}: ${of.title} ${of.displayValue ?? ""}`.trim()];
    }),
  );
  return {
    scores: {
      performance: scoreOf("performance"),
      accessibility: scoreOf("accessibility"),
      "best-practices": scoreOf("best-practices"),
      seo: scoreOf("seo"),
    },
    facts: `${value("first-contentful-paint")}, ${value("largest-contentful-paint")}, ${value("total-blocking-time")}, ${value("cumulative-layout-shift")}`,
    lost,
  };
}
