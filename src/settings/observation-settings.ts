import * as v from "valibot";
import type { Setting } from "./setting.ts";
import { webAddress, wholeNumber } from "./value-schemas.ts";

const PORT_MAX = 65_535;
const TOKEN_LENGTH_MIN = 32;
const COMMIT_LENGTH_MAX = 64;

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** What is seen of a running product: metrics, traces and its version. */
export const observationSettings = {
  METRICS_TOKEN: {
    schema: v.optional(v.pipe(v.string(), v.minLength(TOKEN_LENGTH_MIN))),
    must: `at least ${TOKEN_LENGTH_MIN} characters`,
    fallback: "none: /metrics is for operators and admins who are signed in",
    about: "what a program sends to read /metrics: Authorization: Bearer ...",
  },
  METRICS_PORT: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(PORT_MAX))),
    must: `a number from 1 to ${PORT_MAX}, with METRICS_TOKEN set`,
    fallback: "none: a web process alone on PORT serves /metrics there",
    about:
      "where each process serves /metrics at HOST: a machine's web processes here and at the next ports in their order, then its worker",
  },
  COMMIT: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+$/), v.maxLength(COMMIT_LENGTH_MAX))),
    must: "the name of a commit",
    fallback: "not known",
    about: "the commit that was built, for /version and the metrics",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "none: nothing is traced",
    about:
      "the OpenTelemetry collector (OTLP over HTTP) that gets traces; the other standard variables of its exporter apply too",
  },
  OTEL_TRACES_SAMPLER: {
    schema: v.optional(v.picklist(samplers), "parentbased_always_on"),
    must: samplers.join(", "),
    fallback: "parentbased_always_on",
    about: "which requests are traced",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(0(\.\d+)?|1(\.0+)?)$/), v.transform(Number)), "1"),
    must: "a number from 0 to 1",
    fallback: "1",
    about: "the part of the requests that traceidratio traces",
  },
} as const satisfies Record<string, Setting>;

export type TracingSettings = { sampler: (typeof samplers)[number]; ratio: number };

type ObservationSettings = {
  /** What opens /metrics to a program; null: nothing does. */
  metricsToken: string | null;
  /** Where the first process of this machine serves its metrics; null: nowhere but on its own port. */
  metricsPort: number | null;
  /** The commit that was built; null if it is not known. */
  commit: string | null;
  /** Null: nothing is traced. */
  tracing: TracingSettings | null;
};

/** Settings, with those of observation. */
export type Observed<Settings> = Settings & ObservationSettings;

type Schemas = {
  -readonly [Name in keyof typeof observationSettings]: (typeof observationSettings)[Name]["schema"];
};
type Read = v.InferOutput<v.ObjectSchema<Schemas, undefined>>;

/** What the settings say about it. */
export function observationOf(read: Read): ObservationSettings {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = read;
  return {
    metricsToken: read.METRICS_TOKEN ?? null,
    metricsPort: read.METRICS_PORT ?? null,
    commit: read.COMMIT ?? null,
    tracing: read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : { sampler, ratio },
  };
}
