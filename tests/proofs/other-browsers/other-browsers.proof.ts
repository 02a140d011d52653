import { beforeAll, test } from "bun:test";
import { type Host, openHost, planNext } from "#tests/other-browsers/own-show.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { CARD_FAULTS } from "./card-boxes.ts";
import { playEachPhase } from "./each-phase.ts";
import { findPrograms } from "./find-programs.ts";
import { visitWithFirefox } from "./firefox.ts";
import { comeAsStranger, takeShortJourney } from "./short-journey.ts";
import type { Visitor } from "./visitor.ts";
import { visitWithWebkit } from "./webkit.ts";

const WITHIN_MS = 600_000;

const SIZES = [
  [390, 844],
  [360, 640],
  [768, 1024],
  [1440, 900],
] as const;

const programs = findPrograms((line) => process.stdout.write(`${line}\n`));
const visits: Record<string, () => Promise<Visitor>> = {
  Firefox: () => visitWithFirefox(programs.firefox),
  WebKit: () =>
    visitWithWebkit({ driver: programs.webkitDriver, browser: programs.webkit, screen: programs.screen }),
};
const { dataDir, remove } = makeDataFolder();
let product = startProduct(dataDir);
let url = "";
let host: Host;

// The demo's people without its rehearsals, which would be live.
beforeAll(async () => {
  const seeded = await openHost(await product.url);
  await seeded.dispose();
  await stop();
  product = startProduct(dataDir, { DEMO: "off" });
  url = await product.url;
  host = await openHost(url);
  await planNext(host);
}, WITHIN_MS);
afterFile(() => host.dispose());
afterFile(async () => {
  await stop();
  remove();
});

async function stop(): Promise<void> {
  product.kill("SIGTERM");
  await product.exited;
}

const journeys = {
  "a stranger sees what comes next and what is live, plays as a guest, wins and is asked to stay":
    comeAsStranger,
  "a player signs in, calls, sees the result and the history": takeShortJourney,
};

for (const [name, visit] of Object.entries(visits)) {
  for (const [title, take] of Object.entries(journeys)) {
    test(
      `in ${name} ${title}`,
      async () => {
        const visitor = await visit();
        try {
          await take(visitor, url, host);
          figure(visitor.browser);
        } finally {
          await visitor.close();
        }
      },
      WITHIN_MS,
    );
  }
}

test(
  "in Firefox the clock has its room and no words of the card lie over others, in each phase and on each screen",
  async () => {
    const visitor = await visitWithFirefox(programs.firefox);
    const look = async (phase: string) => {
      for (const [width, height] of SIZES) {
        await visitor.resize(width, height);
        await visitor.findsNoFaults(CARD_FAULTS).catch((cause: unknown) => {
          throw new Error(`${phase}, ${width} x ${height}`, { cause });
        });
      }
    };
    try {
      await playEachPhase(visitor, url, { host, look });
    } finally {
      await visitor.close();
    }
  },
  WITHIN_MS,
);
