import { expect, test } from "bun:test";
import path from "node:path";
import { guides } from "#src/api/programs.ts";
import { createServer } from "#src/server.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildToken } from "./build-token.ts";

const { deps, build, read } = await testWorld();
const app = createServer(deps);
app.listen({ hostname: "127.0.0.1", port: 0 });
afterFile(async () => void (await app.stop(true)));
const admin = await build.admin();
const example = guides.find(({ id }) => id === "access-tokens")?.example ?? "";

/** Runs the reference's example as a shell does, and returns what curl printed and its exit code. */
async function runExample(eventId: number, secret: string): Promise<{ printed: string; code: number }> {
  const child = Bun.spawn(["sh", "-c", example], {
    env: {
      PATH: `${path.dirname(requireProgram("curl"))}:/usr/bin:/bin`,
      CALLED_IT: `http://127.0.0.1:${app.server?.port ?? 0}`,
      CALLED_IT_TOKEN: secret,
      EVENT_ID: String(eventId),
    },
    stdout: "pipe",
    stderr: "ignore",
  });
  return { printed: await new Response(child.stdout).text(), code: await child.exited };
}

async function buildClosed() {
  const session = await build.runningSession();
  return build.event("closed", { sessionId: session.id });
}

test("the reference's example resolves an event by curl with the scope run", async () => {
  const event = await buildClosed();
  const { secret } = await buildToken(deps, { userId: admin.id, scope: "run" });
  const { printed, code } = await runExample(event.id, secret);
  expect([code, JSON.parse(printed)]).toMatchObject([
    0,
    { event: { id: event.id, state: "resolved", result: true } },
  ]);
  expect(await read.event(event.id)).toMatchObject({ state: "resolved", result: "true" });
});
