import { test } from "bun:test";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { findPrograms } from "./find-programs.ts";
import { visitWithFirefox } from "./firefox.ts";
import { takeShortJourney } from "./short-journey.ts";
import type { Visitor } from "./visitor.ts";
import { visitWithWebkit } from "./webkit.ts";

const WITHIN_MS = 600_000;

const programs = findPrograms((line) => process.stdout.write(`${line}\n`));
const visits: Record<string, () => Promise<Visitor>> = {
  Firefox: () => visitWithFirefox(programs.firefox),
  WebKit: () =>
    visitWithWebkit({ driver: programs.webkitDriver, browser: programs.webkit, screen: programs.screen }),
};
const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir);
afterFile(async () => {
  product.kill("SIGTERM");
  await product.exited;
  remove();
});

for (const [name, visit] of Object.entries(visits)) {
  test(
    `in ${name} a player signs in, calls, sees the result and the history`,
    async () => {
      const url = await product.url;
      const visitor = await visit();
      try {
        await takeShortJourney(visitor, url);
        figure(visitor.browser);
      } finally {
        await visitor.close();
      }
    },
    WITHIN_MS,
  );
}
