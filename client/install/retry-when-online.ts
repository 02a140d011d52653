import { tryAgain as retry } from "../base/format/words.ts";

/** Nobody sits at a big screen who would ask. */
const isBigScreen = /\/stage\/?$/.test(location.pathname);
const FIRST_MS = 3_000;
const LONGEST_MS = isBigScreen ? 6_000 : 60_000;

// The script of the offline page. It opens the page that was asked for as soon as the server answers: it asks with the button,
// when the network comes back, when the page is shown again, and by itself, less and less often.

const button = document.querySelector("button");
const status = document.querySelector("[role=status]");
let waitMs = FIRST_MS;
let isTrying = false;

function say(label: string, text: string): void {
  if (button !== null) button.textContent = label;
  if (status !== null) status.textContent = text;
}

async function tryAgain(): Promise<void> {
  if (isTrying) return;
  isTrying = true;
  try {
    const { ok } = await fetch("/up", { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // There is still no network.
  } finally {
    isTrying = false;
  }
}

async function tryByHand(): Promise<void> {
  say("Trying...", "");
  await tryAgain();
  say(retry, "Still offline.");
}

function tryLater(): void {
  setTimeout(() => {
    if (document.visibilityState === "visible") void tryAgain();
    waitMs = Math.min(2 * waitMs, LONGEST_MS);
    tryLater();
  }, waitMs);
}

const chosen = /(?:^|; )theme=(\w+)/.exec(document.cookie)?.[1];
if (chosen !== undefined && chosen !== "system") document.documentElement.dataset["theme"] = chosen;
// Over a video nothing is better than a page that says so.
if (isBigScreen && new URLSearchParams(location.search).get("overlay") === "1") {
  document.documentElement.style.background = "transparent";
  document.body.style.background = "transparent";
  document.body.style.visibility = "hidden";
}
button?.addEventListener("click", () => void tryByHand());
addEventListener("online", () => void tryAgain());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void tryAgain();
});
tryLater();
