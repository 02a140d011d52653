import { expect, test } from "bun:test";
import path from "node:path";
import * as v from "valibot";
import { ownNetwork } from "#tests/proofs/machines/own-network.ts";

/** The product is started once and restarted once, on a machine that may be busy. */
const SLOW_MS = 180_000;
const TOP = path.join(import.meta.dir, "../../..");

const finished = v.object({
  printed: v.string(),
  report: v.object({
    answered: v.number(),
    others: v.record(v.string(), v.number()),
    calls: v.object({ acknowledged: v.number(), lost: v.number(), unknown: v.number() }),
    messages: v.object({
      messages: v.number(),
      missed: v.number(),
      doubled: v.number(),
      rejected: v.number(),
      reconnects: v.number(),
    }),
  }),
});

// Only Linux shares a port among processes.
test.skipIf(process.platform !== "linux")(
  "two web processes and the worker are restarted one after the other, and no request, call or message is lost",
  async () => {
    const network = ownNetwork();
    let message: unknown = null;
    const child = Bun.spawn([...network, process.execPath, "tests/proofs/machines/restart-in-turn.ts"], {
      cwd: TOP,
      ipc: (sent) => {
        message = sent;
      },
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
    const { report, printed } = v.parse(finished, message);
    for (const name of ["web-1", "web-2", "worker"]) expect(printed).toContain(`${name} is restarted`);
    // Without a network of its own the kernel may reset connections that arrive while a port is closed, and the product says so.
    const { ECONNRESET: reset = 0, ...others } = report.others;
    expect({ others, isReset: network.length > 0 && reset > 0 }).toEqual({ others: {}, isReset: false });
    expect(printed.includes("tcp_migrate_req")).toBe(network.length === 0);
    expect(report.calls).toMatchObject({ lost: 0, unknown: 0 });
    expect(report.calls.acknowledged).toBeGreaterThan(0);
    expect(report.messages).toMatchObject({ missed: 0, doubled: 0, rejected: 0 });
    // Every socket got its goodbye and came back.
    expect(report.messages.reconnects).toBeGreaterThan(0);
    expect(report.messages.messages).toBeGreaterThan(0);
  },
  SLOW_MS,
);
