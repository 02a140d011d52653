import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { drawPicture } from "#src/shares/draw-picture.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const server = createServer(await testDeps());
const preview = () => server.handle(new Request("http://localhost:3000/api/v1/preview.png"));

test("a picture that is not drawn in 10 s is a 503 with words of its own; it is drawn on, and the next reader gets it", async () => {
  const [by, session, wager, clock, day] = ["Ana", "Derby", "$1.00", "20:14:03.4", "22 Nov 2026, UTC"];
  const others = Array.from({ length: 400 }, (_, number) => {
    const question = `Question ${number}?`;
    const scene = {
      kind: "call",
      side: "true",
      label: "True",
      by,
      session,
      wager,
      clock,
      day,
      question,
    } as const;
    return drawPicture(scene);
  });
  const late = await preview();
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "3"]);
  expect(await late.json()).toMatchObject({
    code: "picture_late",
    error: "The picture takes longer than usual. Try again in a moment.",
  });
  await Promise.all(others);
  await waitFor("the picture", async () => (await preview()).status === 200);
}, 900_000);
