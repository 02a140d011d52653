import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { createSpanExporter, createTracer } from "#src/run/tracer.ts";
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

const tracerOf = (exporter: ReturnType<typeof createSpanExporter>) =>
  createTracer({ sampler: "always_on", ratio: 1 }, { process: "web", exporter });

test("a collector that drips, is silent or answers without end keeps no connection, and operators are told that it takes nothing", async () => {
  const exportTo = async (behave: (socket: Socket) => void) => {
    const server = await HostileServer.start(behave);
    const exporter = createSpanExporter({ url: server.origin, timeoutMillis: 500 });
    const tracer = tracerOf(exporter);
    for (let times = 0; times < 2; times += 1) {
      const asked = server.asked;
      tracer.start("a span", {}, null).end();
      await waitFor("the request", () => server.asked > asked);
      await waitFor("the connection to be closed", () => server.open === 0);
    }
    // The last spans were not taken.
    await tracer.shutdown().catch(() => undefined);
    expect(server.bytesWritten).toBeLessThan(64_000_000);
    // Of an endless answer the status is enough.
    const isTaken = exporter.trouble() === null;
    expect([behave.name, isTaken]).toEqual([behave.name, behave === floodBody]);
  };
  await Promise.all([keepSilent, dripHeaders, floodHeaders, stopHalfWay, floodBody].map(exportTo));
});

test("what is sent is compressed if the settings say so, and has their headers", async () => {
  const collector = startCollector();
  const url = `${collector.url}/v1/traces`;
  const settings = { url, compression: CompressionAlgorithm.GZIP, headers: { "x-key": "secret" } };
  const tracer = tracerOf(createSpanExporter(settings));
  tracer.start("a packed span", {}, null).end();
  await tracer.shutdown();
  expect(collector.spans.map(({ name }) => name)).toEqual(["a packed span"]);
  expect(collector.headers).toMatchObject({ "x-key": "secret", "content-encoding": "gzip" });
  await collector.stop();
});
