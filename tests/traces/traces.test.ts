import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { createSpanExporter, createTracer } from "#src/run/tracer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import {
  dripHeaders,
  floodBody,
  floodHeaders,
  HostileServer,
  keepSilent,
  stopHalfWay,
} from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { startWebProcess, startWorkerProcess } from "../faults/worker-process.ts";
import { pathTo, startCollector } from "./collector.ts";

const collector = startCollector();

const { deps, build, read, signIn } = await testWorld();
const variables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_SERVICE_NAME: "called-it-test",
  TRUSTED_PROXIES: "127.0.0.1",
  LOG_LEVEL: "info",
};
const [web, worker] = await Promise.all([
  startWebProcess(deps, { variables }),
  startWorkerProcess(deps, { variables }),
]);
afterFile(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  await collector.stop();
});

const player = await build.player();
const admin = await build.admin();
const { session, event } = await build.openShow({}, { settings: { settlementDelaySeconds: 0 } });
const spots = await read.spots(event.id);

/** Sends a request as a proxy does that traces: the trace has this id. */
async function send(traceId: string, user: { id: number }, target: string, init: RequestInit = {}) {
  const response = await fetch(`${web.origin}${target}`, {
    ...init,
    headers: {
      ...(await signIn(user)),
      origin: web.origin,
      "content-type": "application/json",
      accept: init.method === undefined ? "text/html" : "application/json",
      traceparent: `00-${traceId}-00000000000000ab-01`,
    },
  });
  expect(response.ok).toBe(true);
  await response.text();
}

/** Waits for a span whose path has these names in this order, the innermost first. */
const waitForPath = (traceId: string, ...names: RegExp[]) =>
  waitFor(`the span ${names.map(String).join(" in ")}`, () => {
    const trace = collector.spans.filter((span) => span.traceId === traceId);
    const found = trace.find((span) => {
      let path = pathTo(trace, span);
      if (!(names[0]?.test(path[0] ?? "") ?? false)) return false;
      return names.every((name) => {
        const at = path.findIndex((each) => name.test(each));
        path = path.slice(at + 1);
        return at >= 0;
      });
    });
    return found ?? null;
  });

const idOf = (digit: string) => digit.repeat(32);

test("one trace joins a page with its read of the database, its loaders and their statements", async () => {
  await send(idOf("a"), player, `/sessions/${session.slug}`);
  await waitForPath(idOf("a"), /^(SELECT|WITH)/, /^read pages$/, /^read page$/, /^GET \/sessions\/:/);
  await waitForPath(idOf("a"), /^render$/, /^page$/, /^GET \/sessions\/:/);
  const loader = await waitForPath(idOf("a"), /^loader /, /^page$/);
  expect(loader.service).toBe("called-it-test");
});

test("one trace joins a call with its batch and the statement that places it", async () => {
  const body = JSON.stringify({ call: { spot_id: spots.true.id, wager: 1 } });
  await send(idOf("b"), player, "/api/v1/calls", { method: "POST", body });
  const statement = await waitForPath(
    idOf("b"),
    /place_gated_calls/,
    /^place calls$/,
    /^POST \/api\/v1\/calls$/,
  );
  // It says what was done, and nothing about whom.
  expect(statement.attributes.map(({ key }) => key)).toEqual(["db.system.name"]);
});

test("one trace joins a result with the job of a worker that pays it", async () => {
  const body = JSON.stringify({ event: { state_event: "resolve", result: true } });
  await send(idOf("c"), admin, `/api/v1/events/${event.id}/state`, { method: "PATCH", body });
  const route = /^PATCH \/api\/v1\/events\/:id\/state$/;
  await waitForPath(idOf("c"), /^[A-Z]+ /, /^pay settlements$/, /^job pay_settlement$/, route);
});

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
