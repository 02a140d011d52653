import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright";
import sharp from "sharp";
import { callTrue, openPlayScreen, signIn } from "./scenes.ts";

const FILE = path.join(import.meta.dirname, "recording.webp");
const SECONDS = 20;
/** The call comes so long after the beginning. */
const CALL_AFTER_MS = 2_000;
/** The event closes, and its result comes, in the middle. */
const CLOSE_AFTER_MS = 11_500;
/** The page takes its time to open. */
const SECONDS_LEFT = 15;
/** Frames a second: the clock's digits change ten times a second in the end. */
const FRAMES_PER_SECOND = 8;
const QUALITY = 60;
const BYTES_MAX = 2_000_000;
/** A phone; GitHub shows it at this width. */
const viewport = { width: 360, height: 720 };

type Frame = { atMs: number; jpeg: Buffer };

/**
 * Records a call from the open question to its result, as an animated WebP. Frames are those that Chromium draws.
 * @returns what was written.
 */
export async function record(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({
    viewport,
    baseURL: url,
    serviceWorkers: "block",
    colorScheme: "light",
  });
  const page = await context.newPage();
  await signIn(page, "cleo");
  const { closesAtMs } = await openPlayScreen(page, SECONDS_LEFT);
  await page.waitForTimeout(Math.max(0, closesAtMs - CLOSE_AFTER_MS - Date.now()));
  const frames: Frame[] = [];
  const session = await context.newCDPSession(page);
  const startedAt = performance.now();
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    frames.push({ atMs: performance.now() - startedAt, jpeg: Buffer.from(data, "base64") });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "jpeg", quality: 92 });
  await page.waitForTimeout(CALL_AFTER_MS);
  await callTrue(page);
  await page.waitForTimeout(SECONDS * 1_000 - (performance.now() - startedAt));
  await session.send("Page.stopScreencast");
  await context.close();
  return writeRecording(frames);
}

async function writeRecording(frames: readonly Frame[]): Promise<string> {
  const shown = thinOut(frames);
  const delay = shown.map(({ atMs }, index) =>
    Math.max(1, Math.round((shown[index + 1]?.atMs ?? SECONDS * 1_000) - atMs)),
  );
  const recording = await sharp(
    shown.map(({ jpeg }) => jpeg),
    { join: { animated: true } },
  )
    .webp({ quality: QUALITY, effort: 5, delay, loop: 0, minSize: true })
    .toBuffer();
  if (recording.length > BYTES_MAX) throw new Error(`the recording would have ${recording.length} bytes`);
  writeFileSync(FILE, recording);
  return `${FILE}: ${recording.length} bytes, ${shown.length} frames`;
}

/** The last frame of each moment, without those that changed nothing. */
function thinOut(frames: readonly Frame[]): Frame[] {
  const momentMs = 1_000 / FRAMES_PER_SECOND;
  const last = new Map(frames.map((frame) => [Math.floor(frame.atMs / momentMs), frame]));
  const kept: Frame[] = [];
  for (const frame of last.values()) if (kept.at(-1)?.jpeg.equals(frame.jpeg) !== true) kept.push(frame);
  return kept;
}
