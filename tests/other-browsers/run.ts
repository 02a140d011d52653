import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { findPrograms } from "./find-programs.ts";
import { visitWithFirefox } from "./firefox.ts";
import { takeShortJourney } from "./short-journey.ts";
import type { Visitor } from "./visitor.ts";
import { visitWithWebkit } from "./webkit.ts";

// bun run browsers: the short journey in Firefox and in WebKit, against the whole product. It says what it installs for it.
const programs = findPrograms(print);
const visits: Record<string, () => Promise<Visitor>> = {
  Firefox: () => visitWithFirefox(programs.firefox),
  WebKit: () =>
    visitWithWebkit({ driver: programs.webkitDriver, browser: programs.webkit, screen: programs.screen }),
};
const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir);
try {
  const url = await product.url;
  for (const [name, visit] of Object.entries(visits)) await tryBrowser(name, visit, url);
} finally {
  product.kill("SIGTERM");
  await product.exited;
  remove();
}

async function tryBrowser(name: string, visit: () => Promise<Visitor>, url: string): Promise<void> {
  let visitor: Visitor | undefined;
  try {
    visitor = await visit();
    await takeShortJourney(visitor, url);
    print(`ok      ${visitor.browser}: sign in, call, result, history`);
  } catch (error) {
    process.exitCode = 1;
    print(`FAILED  ${visitor?.browser ?? name}: ${Bun.inspect(error)}`);
  } finally {
    await visitor?.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
