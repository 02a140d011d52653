import { readFileSync } from "node:fs";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import satori, { type Font } from "satori";
import sharp from "sharp";
import { PICTURE_SIZE } from "./contract.ts";
import { type Element, faces } from "./elements.ts";

/** What the thread is asked, and what it answers. */
export type Drawing = { id: number; elements: Element };
export type Drawn = { id: number; png: Uint8Array<ArrayBuffer> } | { id: number; error: string };

const fonts = faces.map((name): Font => {
  const data = readFileSync(path.join(import.meta.dir, "fonts", `${name}.ttf`));
  return { name, data, weight: 400, style: "normal" };
});

// This file is a thread of its own (draw-picture.ts): laying out takes 20 ms without a pause.
parentPort?.on("message", ({ id, elements }: Drawing) => {
  void draw(elements).then(
    (png) => answer({ id, png }),
    (error: unknown) => answer({ id, error: String(error) }),
  );
});

async function draw(elements: Element): Promise<Uint8Array<ArrayBuffer>> {
  const svg = await satori(elements, { ...PICTURE_SIZE, fonts });
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return new Uint8Array(png);
}

function answer(drawn: Drawn): void {
  parentPort?.postMessage(drawn);
}
