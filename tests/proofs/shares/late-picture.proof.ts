import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { drawPicture } from "#src/shares/draw-picture.ts";
import { previewOf } from "#src/shares/lay-out-scene.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** Long enough for a picture to be late, and short enough to wait for it. */
const OTHERS_MS = 25_000;

const server = createServer(await testDeps());
const preview = () => server.handle(new Request("http://localhost:3000/api/v1/preview.png"));

test("a picture that is not drawn in 10 s is a 503 with words of its own; it is drawn on, and the next reader gets it", async () => {
  const draw = (number: number) =>
    drawPicture(previewOf({ name: `Session ${number}`, settings: { brand: { accent: "#0072b3" } } }));
  // The first one starts the thread, the second one says how fast this machine draws.
  await draw(-2);
  const startedAtMs = performance.now();
  await draw(-1);
  const count = Math.ceil(OTHERS_MS / (performance.now() - startedAtMs));
  const others = Array.from({ length: count }, (_, number) => draw(number));
  const late = await preview();
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await late.json()).toMatchObject({
    code: "picture_late",
    error: "The picture takes longer than usual. Try again in a moment.",
  });
  await Promise.all(others);
  await waitFor("the picture", async () => (await preview()).status === 200);
});
