import { beforeAll, test } from "bun:test";
import { Glob } from "bun";
import { findProgram } from "#db/embedded/find-program.ts";
import { findOrInstall } from "#db/embedded/programs.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  callOther,
  endAllShows,
  type Host,
  openHost,
  PASSWORD,
  planNext,
  startShow,
} from "#tests/other-browsers/own-show.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { visitWithFirefox } from "./firefox.ts";
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
    test(`in ${name} ${title}`, async () => {
      const visitor = await visit();
      try {
        await take(visitor, url, host);
        figure(visitor.browser);
      } finally {
        await visitor.close();
      }
    });
  }
}

/**
 * JavaScript that lists what is wrong with the boxes of the card: words that lie over other words or under the clock, and a clock that
 * has no room. Words that are cut off count as far as they are seen.
 */
const CARD_FAULTS = `(() => {
  const card = document.querySelector(".card");
  const seen = (rect, element) => {
    let { left, top, right, bottom } = rect;
    for (let at = element; at !== null && at !== card.parentElement; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const clip = at.getBoundingClientRect();
      left = Math.max(left, clip.left);
      top = Math.max(top, clip.top);
      right = Math.min(right, clip.right);
      bottom = Math.min(bottom, clip.bottom);
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  const clock = card.querySelector(".clock");
  const faults = [];
  if (clock !== null && clock.checkVisibility()) {
    const { width, height, left, top, right, bottom } = clock.getBoundingClientRect();
    boxes.push({ of: clock, words: "the clock", left, top, right, bottom });
    if (width < 24 || Math.abs(width - height) > 1) faults.push("the clock is " + width + " x " + height);
  }
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (text.data.trim() === "" || parent.closest(".vh, svg, .clock") || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects())
      boxes.push({ of: parent, words: text.data.trim(), ...seen(rect, parent) });
  }
  const EDGE = 2;
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.of === other.of) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > EDGE && high > EDGE) faults.push(one.words + " | " + other.words);
    }
  }
  return faults;
})()`;

/** The paths of the other browsers and of what leads them. */
type Programs = { firefox: string; webkitDriver: string; webkit: string; screen: string };

/**
 * Finds the other browsers, and installs what is missing; see findOrInstall.
 * @param print called with a line before something is installed.
 */
function findPrograms(print: (line: string) => void): Programs {
  const found = (name: string, debian: string, find: () => string | null) =>
    findOrInstall({ name, packages: { "apt-get": debian }, find }, print);
  return {
    firefox: found("Firefox", "firefox-esr", () => findProgram("firefox-esr", "firefox")),
    webkitDriver: found("WebKitWebDriver", "webkit2gtk-driver", () => findProgram("WebKitWebDriver")),
    webkit: found("MiniBrowser", "webkit2gtk-driver", findWebkit),
    screen: found("Xvfb", "xvfb", () => findProgram("Xvfb")),
  };
}

/** The small browser that the driver leads is not on the path. */
function findWebkit(): string | null {
  const [file] = new Glob("usr/lib/*/webkit*gtk-*/MiniBrowser").scanSync({ cwd: "/", absolute: true });
  return file ?? null;
}

async function openAsAna(visitor: Visitor, page: string): Promise<void> {
  await visitor.open(`${new URL(page).origin}/users/sign_in`);
  await visitor.fill("Email", "ana@example.test");
  await visitor.fill("Password", PASSWORD);
  await visitor.press("Sign in");
  await visitor.sees("In sync");
  await visitor.open(page);
}

/** The card is looked at while its question is open, once it is called, and with its result. */
async function callAndWin(visitor: Visitor, host: Host, event: EventView): Promise<void> {
  const look = () => visitor.findsNoFaults?.(CARD_FAULTS);
  await look();
  await visitor.press("You think True");
  await visitor.sees("Placed ");
  await callOther(host, event);
  await look();
  await host.api("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result: true },
  });
  await visitor.sees("You called it");
  await look();
}

/** Signs in as the demo player ana, calls the right side of an event of a session of its own, and reads the result and the history. */
async function takeShortJourney(visitor: Visitor, url: string, host: Host): Promise<void> {
  await endAllShows(host);
  const { session, event } = await startShow(host);
  await openAsAna(visitor, `${url}/sessions/${session.slug}`);
  await visitor.sees(event.title);
  await callAndWin(visitor, host, event);
  await visitor.press("History");
  await visitor.sees(event.title);
  await visitor.sees("Won");
}

/** Comes as a stranger: while nothing is live, and while a question is open, which a guest calls. The guest is then asked to stay. */
async function comeAsStranger(visitor: Visitor, url: string, host: Host): Promise<void> {
  await endAllShows(host);
  await visitor.open(url);
  await visitor.sees("Say it before");
  await visitor.sees("Next in two hours");
  await visitor.sees("Remind me");
  const { event } = await startShow(host);
  await visitor.open(url);
  await visitor.sees("Live now");
  await visitor.sees(event.title);
  await visitor.fill("Your name", `zoe_${Date.now() % 1e9}`);
  await visitor.press("Play now");
  await visitor.sees("In sync");
  await visitor.sees(event.title);
  await callAndWin(visitor, host, event);
  await visitor.sees("Keep your $10");
  await visitor.open(`${url}/users/guest_registration`);
  await visitor.sees("Finish your account");
}
