import * as v from "valibot";
import { ownVariables } from "#src/settings/env.ts";
import { openBrowser, type Visit } from "./open-browser.ts";

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
export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof categories)[number];
/** What Lighthouse says of a page: 0 to 100 for each category, its main times, and what cost points. */
export type Measured = {
  scores: Record<Category, number>;
  facts: string;
  lost: readonly string[];
};

/** Measures a page once, as a phone on a slow line (Lighthouse's default), in a browser that has never been there. */
export async function measurePage({ url, cookie }: Visit, chromium: string): Promise<Measured> {
  const browser = await openBrowser(chromium, { url, cookie });
  try {
    const run = Bun.spawn(
      [
        process.execPath,
        "x",
        LIGHTHOUSE,
        url,
        "--quiet",
        "--output=json",
        `--port=${browser.port}`,
        // The browser is new, and the sign-in must stay.
        "--disable-storage-reset",
      ],
      { env: ownVariables(), stdout: "pipe", stderr: "pipe" },
    );
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
