import { expect, test } from "bun:test";
import { readEnv } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const { dataDir, remove } = makeDataFolder();
afterFile(remove);

test("a port for metrics is refused without a token, because nobody is signed in there", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables });
  expect(() => read({ METRICS_PORT: "9464" })).toThrow(/^METRICS_PORT needs METRICS_TOKEN/);
  const METRICS_TOKEN = "m".repeat(32);
  expect(read({ METRICS_PORT: "9464", METRICS_TOKEN })).toMatchObject({ metricsPort: 9464 });
});

test("nothing is traced without a collector, and the sampler is the standard's default with one", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables }).tracing;
  expect(read({})).toBeNull();
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318";
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({ sampler: "parentbased_always_on", ratio: 1 });
  const some = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" };
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT, ...some })).toEqual({ sampler: "traceidratio", ratio: 0.25 });
});
