import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { createLog } from "#src/base/log.ts";
import { createTracer } from "#src/run/tracer.ts";
import {
  dripHeaders,
  floodBody,
  floodHeaders,
  HostileServer,
  keepSilent,
  stopHalfWay,
} from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startCollector } from "./collector.ts";

/** A tracer as a process has it, whose exporter reads these settings. */
function tracerOf(endpoint: string, lines: string[]) {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
  const log = createLog({ production: true, logLevel: "info" }, "web", (line) => lines.push(line));
  const tracer = createTracer({ sampler: "always_on", ratio: 1 }, { process: "web", log });
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  delete process.env["OTEL_EXPORTER_OTLP_TIMEOUT"];
  return tracer;
}

test("a collector that drips, is silent or answers without end keeps no connection, and the log says once that it takes nothing", async () => {
  const exportTo = async (behave: (socket: Socket) => void) => {
    const server = await HostileServer.start(behave);
    const lines: string[] = [];
    const tracer = tracerOf(server.origin, lines);
    for (let times = 0; times < 2; times += 1) {
      const asked = server.asked;
      tracer.start("a span", {}, null).end();
      await waitFor("the request", () => server.asked > asked);
      await waitFor("the connection to be closed", () => server.open === 0);
    }
    await tracer.shutdown();
    expect(server.bytesWritten).toBeLessThan(64_000_000);
    // Of an endless answer the status is enough.
    const said = lines.filter((line) => line.includes("takes no traces")).length;
    expect([behave.name, said]).toEqual([behave.name, behave === floodBody ? 0 : 1]);
  };
  await Promise.all([keepSilent, dripHeaders, floodHeaders, stopHalfWay, floodBody].map(exportTo));
});

test("what is sent is compressed if the settings say so, and has their headers", async () => {
  const collector = startCollector();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret",
  });
  const tracer = tracerOf(collector.url, []);
  delete process.env["OTEL_EXPORTER_OTLP_COMPRESSION"];
  delete process.env["OTEL_EXPORTER_OTLP_HEADERS"];
  tracer.start("a packed span", {}, null).end();
  await tracer.shutdown();
  expect(collector.spans.map(({ name }) => name)).toEqual(["a packed span"]);
  expect(collector.headers).toMatchObject({ "x-key": "secret", "content-encoding": "gzip" });
  await collector.stop();
});
