import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { buildClient, compressFiles, ENTRY } from "#client/build/build.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Broadcast, broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { openBenchDeps } from "../bench-deps.ts";
import { buildShow, type Show, type ShowViewer, viewersWithoutCall } from "../build-show.ts";
import { startWeb } from "../start-web.ts";
import { atMost, type Goal, median, show, showRatio, type Table } from "../table.ts";
import { visit, type Visited } from "./load-page.ts";

const LOADS = 7;
const KB = 1_000;
const MS_PER_SECOND = 1_000;
const BEFORE_PRESS_MS = 300;
/** A call is answered in less. */
const ANSWER_MS = 1_500;
const RUSH_PER_SECOND = 15;
/** The first messages of a rush come before the press. */
const RUSH_BEFORE_MS = 1_000;

/**
 * Measures a first visit of the Action page by a signed-in player on a slow phone, in headless Chromium. The baseline is a page
 * with the same markup that React alone hydrates.
 */
export async function benchBrowser(): Promise<Table> {
  const executablePath = requireChromium();
  const deps = await openBenchDeps();
  const built = await buildShow(deps);
  const web = await startWeb(deps);
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const url = `${web.origin}/sessions/${built.session.slug}`;
    const players = viewersWithoutCall(built).slice(0, LOADS + 1);
    const others = viewersWithoutCall(built).slice(LOADS + 1, 2 * LOADS + 1);
    const bare = await startBarePage(await markupOf(browser, url, players[0]));
    const [byProduct, byBare, inRush]: [Visited[], Visited[], Visited[]] = [[], [], []];
    for (const player of players) {
      const cookie = player.credentials["cookie"] ?? "";
      byBare.push(await visit(browser, { url: bare.url, cookie: "" }, pressFirstSide));
      byProduct.push(await visit(browser, { url, cookie }, placeCall));
    }
    for (const player of others) {
      const cookie = player.credentials["cookie"] ?? "";
      inRush.push(
        await visit(browser, { url, cookie }, (page) => duringRush(deps, built, () => placeCall(page))),
      );
    }
    await bare.stop();
    // The first visits warm up the servers and Chromium.
    return tableOf({ product: byProduct.slice(1), bare: byBare.slice(1), inRush });
  } finally {
    await browser.close();
    await web.stop();
    await deps.close();
  }
}

/** React's marks of parts that may be pending. */
const BOUNDARIES = /<!--\/?\$[?!]?-->/g;

/** The content of the product's root element, as the server sends it, without boundaries: the bare page has none. */
async function markupOf(browser: Browser, url: string, player: ShowViewer | undefined): Promise<string> {
  const html = await (await fetch(url, { headers: player?.headers ?? {} })).text();
  const page = await browser.newPage();
  try {
    const markup = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "text/html").querySelector("#root");
      return root?.innerHTML ?? "";
    }, html);
    return markup.replaceAll(BOUNDARIES, "");
  } finally {
    await page.close();
  }
}

/**
 * Presses the first side as a finger does. The side is found some time before, and not by a locator: what these do in the page
 * would be measured with the press.
 */
async function pressFirstSide(page: Page): Promise<void> {
  const point = await page.evaluate(() => {
    const box = document.querySelector(".side")?.getBoundingClientRect();
    return box === undefined ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  if (point === null) throw new Error("The page has no side to press.");
  await page.waitForTimeout(BEFORE_PRESS_MS);
  await page.touchscreen.tap(point.x, point.y);
}

async function placeCall(page: Page): Promise<void> {
  await pressFirstSide(page);
  await page.waitForTimeout(ANSWER_MS);
  await page.getByText(/^Placed \d+:\d\d:\d\d/).waitFor();
}

/** Broadcasts what everybody hears in a rush, the pool with its newest calls and the reactions in turn, while `act` runs. */
async function duringRush({ redis }: Deps, { session, open }: Show, act: () => Promise<void>): Promise<void> {
  const rush = setInterval(
    () => void broadcast(redis, [rushMessage(session.id, open)]),
    MS_PER_SECOND / RUSH_PER_SECOND,
  );
  try {
    await Bun.sleep(RUSH_BEFORE_MS);
    await act();
  } finally {
    clearInterval(rush);
  }
}

let rushMessages = 0;

function rushMessage(sessionId: number, { id: eventId, version }: Show["open"]): Broadcast {
  rushMessages += 1;
  const moment = { version: version + rushMessages, serverTime: new Date().toISOString() };
  const latest = Array.from({ length: 5 }, (_, index) => ({
    username: `player-${rushMessages + index}`,
    side: index % 2 === 0 ? ("true" as const) : ("false" as const),
    wager: 1,
    wagerCents: 100,
  }));
  const pool = poolOf(10_000 + rushMessages * 100, 10_000);
  const message: SessionMessage =
    rushMessages % 2 === 0
      ? {
          sourceType: "Spot",
          eventType: "pool",
          detail: { eventId, pool, callsCount: 100 + rushMessages, latest, ...moment },
        }
      : { sourceType: "Reaction", eventType: "count", detail: { counts: { fire: 3, wow: 1 }, ...moment } };
  return { stream: sessionStream(sessionId), text: JSON.stringify(message) };
}

type Visits = { product: readonly Visited[]; bare: readonly Visited[]; inRush: readonly Visited[] };

function tableOf({ product, bare, inRush }: Visits): Table {
  const row = (name: string, figure: (visited: Visited) => number) => {
    const [ours, theirs] = [median(product.map(figure)), median(bare.map(figure))];
    return [name, show(theirs), show(ours), theirs === 0 ? "-" : showRatio(ours / theirs)];
  };
  return {
    title:
      "browser: a first visit of the Action page by a signed-in player on a slow phone, medians of interleaved loads",
    rows: [
      ["", "bare React", "called-it", "ratio"],
      row("requests", (load) => load.requests),
      row("KB", (load) => load.bytes / KB),
      row("KB of scripts", (load) => load.scriptBytes / KB),
      row("FCP ms", (load) => load.fcpMs),
      row("LCP ms", (load) => load.lcpMs),
      row("live ms", (load) => load.liveMs),
      row("TBT ms", (load) => load.tbtMs),
      row("longest task ms", (load) => load.longestTaskMs),
      row("CLS", (load) => load.cls),
      row("INP of a call ms", interactionOf),
      ["INP of a call in a rush ms", "-", show(median(inRush.map(interactionOf))), "-"],
    ],
    goals: goalsOf({ product, bare, inRush }),
    notes: [
      "TBT counts from the first contentful paint on.",
      `A rush: the page gets ${RUSH_PER_SECOND} messages a second, pools with five new calls each and reactions in turn.`,
      "Slow 4G of Chromium's DevTools (180 KB/s down, 84 KB/s up, 562.5 ms), CPU 4 x slower, 390 x 844, a new profile each time.",
      "Bare React: the same markup, all styles in a linked file without fonts, React hydrating a tree of the same markup.",
    ],
  };
}

const interactionOf = ({ interactionMs }: Visited) => interactionMs;

function goalsOf({ product, bare, inRush }: Visits): Goal[] {
  const ours = (figure: (visited: Visited) => number) => median(product.map(figure));
  const ratio = (figure: (visited: Visited) => number) => ours(figure) / median(bare.map(figure));
  return [
    atMost(0.65, { what: "FCP to bare React", measured: ratio((load) => load.fcpMs), unit: "x" }),
    atMost(1.2, { what: "live to bare React", measured: ratio((load) => load.liveMs), unit: "x" }),
    atMost(100, { what: "INP of a call", measured: ours(interactionOf), unit: "ms" }),
    atMost(60, { what: "INP of a call in a rush", measured: median(inRush.map(interactionOf)), unit: "ms" }),
    atMost(150, { what: "TBT", measured: ours((load) => load.tbtMs), unit: "ms" }),
    atMost(0, { what: "CLS", measured: Number(ours((load) => load.cls).toFixed(2)), unit: "" }),
    atMost(6, { what: "requests", measured: ours((load) => load.requests), unit: "" }),
    atMost(140, { what: "bytes", measured: ours((load) => load.bytes / KB), unit: "KB" }),
    atMost(120, { what: "scripts", measured: ours((load) => load.scriptBytes / KB), unit: "KB" }),
  ];
}

/** The bare page's address. */
type BarePage = { url: string; stop: () => Promise<void> };

const FOREVER = "public, max-age=31536000, immutable";

/**
 * Serves a page with the markup of a product's page, in three requests: the document, all styles of the product as a linked
 * file, without fonts, and React with a tree of the same markup. All are compressed like the product's.
 * @param markup the content of the app's root element.
 */
async function startBarePage(markup: string): Promise<BarePage> {
  const { script, styles } = await buildFiles();
  const document = new Uint8Array(Bun.zstdCompressSync(Buffer.from(documentAround(markup))));
  const html = { "content-type": "text/html; charset=utf-8", "content-encoding": "zstd" };
  const file = { "content-encoding": "br", "cache-control": FOREVER };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    routes: {
      "/": () => new Response(document, { headers: html }),
      "/styles.css": () => new Response(styles, { headers: { ...file, "content-type": "text/css" } }),
      "/bare.js": () => new Response(script, { headers: { ...file, "content-type": "text/javascript" } }),
      "/*": () => new Response(null, { status: 404 }),
    },
  });
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) };
}

/** Builds the script and the styles, and compresses them like the product's. */
async function buildFiles(): Promise<Record<"script" | "styles", Uint8Array<ArrayBuffer>>> {
  const dir = mkdtempSync(path.join(tmpdir(), "called-it-bare-"));
  try {
    await Bun.build({
      entrypoints: [path.join(import.meta.dir, "bare-entry.tsx")],
      outdir: dir,
      target: "browser",
      minify: true,
      sourcemap: "external",
      conditions: ["production"],
      define: { "process.env.NODE_ENV": '"production"' },
    });
    writeFileSync(path.join(dir, "styles.css"), await stylesWithoutFonts());
    await compressFiles(dir);
    const compressed = (end: string) => {
      const name = readdirSync(dir).find((file) => file.endsWith(end));
      if (name === undefined) throw new Error(`The bundler made no ${end}.`);
      return new Uint8Array(readFileSync(path.join(dir, name)));
    };
    return { script: compressed(".js.br"), styles: compressed(".css.br") };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function stylesWithoutFonts(): Promise<string> {
  const { manifest } = await buildClient();
  return (manifest.sheets[ENTRY]?.text ?? "").replaceAll(/@font-face ?\{[^}]*\}/g, "");
}

function documentAround(markup: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Bare</title>
<link rel="stylesheet" href="/styles.css">
<link rel="icon" href="data:,">
<script type="module" src="/bare.js"></script>
</head><body><div id="root">${markup}</div></body></html>`;
}
