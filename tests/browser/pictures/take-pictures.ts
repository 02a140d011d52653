import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import sharp from "sharp";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { drawArchitecture } from "./draw-architecture.ts";
import { record } from "./record.ts";
import { scenes } from "./scenes.ts";

// bun run pictures [name ...]: takes the pictures of README.md again, in about four minutes. It starts the demo in a folder of its
// own, and photographs what it shows. The architecture is drawn from the imports, without the demo. Names: architecture, recording,
// and those of scenes.ts.
const QUALITY = 82;
/** README.md is read on phones too. */
const PICTURE_BYTES_MAX = 150_000;
const WIDTH_MAX = 1_440;
/** As in README.md, if nothing else listens there. */
const PORT = 3_000;

const asked = process.argv.slice(2);
const isAsked = (name: string) => asked.length === 0 || asked.includes(name);
const known = ["architecture", "recording", ...scenes.map(({ name }) => name)];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(", ")}. Known: ${known.join(", ")}.`);

if (isAsked("architecture")) print(drawArchitecture());
if (known.slice(1).some(isAsked)) await withDemo(takeAll);
process.exit(0);

/** Starts the demo and a browser. */
async function withDemo(work: (browser: Browser, url: string) => Promise<void>): Promise<void> {
  const { dataDir, remove } = makeDataFolder();
  const product = startProduct(dataDir, { PORT: isFree(PORT) ? String(PORT) : "0" });
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: chromiumFlags,
  });
  try {
    await work(browser, await product.url);
  } finally {
    await browser.close();
    product.kill("SIGTERM");
    await product.exited;
    remove();
  }
}

/** The big screen shows the address. */
function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  for (const scene of scenes.filter(({ name }) => isAsked(name))) {
    const page = await openPage(browser, { ...scene.context, baseURL: url });
    await scene.show(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await writePicture(scene.name, await page.screenshot());
    await page.context().close();
  }
  if (isAsked("recording")) print(await record(browser, url));
}

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  return (await browser.newContext({ serviceWorkers: "block", ...options })).newPage();
}

async function writePicture(name: string, png: Buffer): Promise<void> {
  const file = path.join(import.meta.dirname, `${name}.webp`);
  const picture = await sharp(png)
    .resize({ width: WIDTH_MAX, withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: 6 })
    .toBuffer();
  if (picture.length > PICTURE_BYTES_MAX) throw new Error(`${file} would have ${picture.length} bytes`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, picture);
  print(`${file}: ${picture.length} bytes`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
