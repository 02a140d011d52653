import { expect, test } from "bun:test";
import { startWebProcess } from "#tests/faults/worker-process.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { handshake, RawSocket } from "#tests/live/cable/raw-socket.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const TEST_WITHIN_MS = 300_000;
/** A browser has at most 20 sockets. */
const BROWSERS = 50;
const SOCKETS_EACH = 20;
/** A ping every 15 s, and 40 s to answer it. */
const DROPPED_WITHIN_MS = 120_000;

const deps = await testDeps();
const web = await startWebProcess(deps);
afterFile(() => web.stop());

test(
  "1,000 sockets that connect and never speak are dropped",
  async () => {
    const port = Number(new URL(web.origin).port);
    const sockets: RawSocket[] = [];
    for (let browser = 0; browser < BROWSERS; browser += 1) {
      const { cookie } = await buildSignedIn(deps);
      const opened = Array.from(
        { length: SOCKETS_EACH },
        () => new RawSocket(port, handshake(web.origin, { Cookie: cookie })),
      );
      await Promise.all(opened.map((socket) => socket.answered()));
      sockets.push(...opened);
    }
    const openedAtMs = performance.now();
    expect(sockets.filter(({ head }) => head.includes("101 Switching")).length).toBe(BROWSERS * SOCKETS_EACH);
    await waitFor("all to be dropped", () => sockets.every(({ ended }) => ended), {
      withinMs: DROPPED_WITHIN_MS,
    });
    figure(
      `1,000 silent sockets were dropped after ${Math.round((performance.now() - openedAtMs) / 1_000)} s`,
    );
    expect((await fetch(`${web.origin}/up`)).status).toBe(200);
  },
  TEST_WITHIN_MS,
);
