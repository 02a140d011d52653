import type { Scrapes } from "#tests/proofs/operate/metrics/firing-alerts.ts";
import { METRICS_TOKEN, type WholeProduct } from "./whole-product.ts";

const SCRAPES_APART_S = 6;
const ANSWERS_WITHIN_MS = 5_000;

/** What an observer sends. */
export const observer = { authorization: `Bearer ${METRICS_TOKEN}` };

async function scrapeAll({ metrics }: WholeProduct): Promise<(string | null)[]> {
  const scrape = async (port: number) => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: observer, signal })).text();
  };
  return Promise.all(Object.values(metrics).map((each) => scrape(each).catch(() => null)));
}

/** Reads the metrics of the processes that are scraped, at two moments. */
export async function scrapeTwice(product: WholeProduct): Promise<Scrapes[]> {
  const first = await scrapeAll(product);
  await Bun.sleep(SCRAPES_APART_S * 1_000);
  const second = await scrapeAll(product);
  return Object.keys(product.metrics).map((instance, index) => ({
    instance,
    first: first[index] ?? null,
    second: second[index] ?? null,
    secondsApart: SCRAPES_APART_S,
  }));
}
