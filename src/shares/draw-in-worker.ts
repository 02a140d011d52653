import { readFileSync } from "node:fs";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import satori, { type Font } from "satori";
import sharp from "sharp";
import { PICTURE_SIZE } from "./contract.ts";
import { faces } from "./elements.ts";
import { layOutScene } from "./lay-out-scene.ts";
import type { Scene } from "./scene.ts";

/** What the thread is asked, and what it answers. */
export type Drawing = {
  id: number;
  scene: Scene;
  /** The PNG of the brand's logo; null without one. */
  logo: Uint8Array | null;
};
export type Drawn = { id: number; png: Uint8Array<ArrayBuffer> } | { id: number; error: string };

const fonts = faces.map((name): Font => {
  const data = readFileSync(path.join(import.meta.dir, "fonts", `${name}.ttf`));
  return { name, data, weight: 400, style: "normal" };
});

// This file is a thread of its own (draw-picture.ts): laying out takes 20 ms without a pause.
parentPort?.on("message", ({ id, ...drawing }: Drawing) => {
  void draw(drawing).then(
    (png) => answer({ id, png }),
    (error: unknown) => answer({ id, error: String(error) }),
  );
});

async function draw({ scene, logo }: Omit<Drawing, "id">): Promise<Uint8Array<ArrayBuffer>> {
  const svg = await satori(layOutScene(scene, logo), { ...PICTURE_SIZE, fonts });
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return new Uint8Array(png);
}

function answer(drawn: Drawn): void {
  parentPort?.postMessage(drawn);
}
