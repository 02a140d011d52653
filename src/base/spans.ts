import type { Attributes, Span } from "@opentelemetry/api";
import { type Cause, currentCause, runFor } from "./cause.ts";

// Decision: spans are started by hand, at the seams that this product has: request, page, loader, batch, statement, job, mail and
// webhook. Nothing is patched. Without a collector nothing of OpenTelemetry is loaded, and a seam costs one comparison.

export type SpanDetails = {
  /** What the process does in it; by default it works on its own. */
  kind?: "server" | "client" | "consumer";
  /** Never a value of a row, and never an address with secrets. */
  attributes?: Attributes;
  /** The span in another process that led to it, as W3C Trace Context writes it; by default the current one of this process. */
  parent?: string | null;
  /** What else has led to it, or did long ago: spans, or spans in other processes. */
  links?: readonly (Span | string)[];
};

/** Starts spans; see tracer.ts. @param parent the current span. */
export type Tracing = { start: (name: string, details: SpanDetails, parent: Span | null) => Span };

/** The status code of OpenTelemetry for work that has failed. */
const ERROR = 2;

let tracing: Tracing | null = null;

/** Starts spans from now on; null: no more. */
export function setTracing(next: Tracing | null): void {
  tracing = next;
}

/** Does work within a span, which ends with it. */
export function inSpan<Result>(
  name: string,
  work: (span: Span | null) => Promise<Result>,
  details: SpanDetails = {},
): Promise<Result> {
  return tracing === null ? work(null) : trace(tracing.start(name, details, currentSpan()), work);
}

async function trace<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await runFor({ requestId: currentCause()?.requestId ?? null, span }, () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function currentSpan(): Span | null {
  return currentCause()?.span ?? null;
}

/** An error's message may have values; its name has none. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: ERROR, message: error instanceof Error ? error.name : typeof error });
}

/**
 * Does work for several causes in one span. It belongs to the first of them that is traced, and links to the others.
 * Example: a batch of calls.
 * @param name undefined: such work has no span.
 */
export function inSharedSpan<Result>(
  name: string | undefined,
  causes: readonly (Cause | null)[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracing === null || name === undefined) return work();
  const [first = null, ...others] = [...new Set(causes.flatMap((cause) => cause?.span ?? []))];
  const details = { links: others, attributes: { "batch.size": causes.length } };
  return trace(tracing.start(name, details, first), work);
}

/**
 * Starts the span of a statement, if anything is traced: its name says what it does to which table, and nothing has values.
 * @returns ends it; null without one.
 */
export function startStatement(text: string): ((error?: unknown) => void) | null {
  const parent = tracing === null ? null : currentSpan();
  // A statement alone, such as one of a sweep, is no trace.
  if (tracing === null || parent === null) return null;
  const name = nameOf(text);
  const span = tracing.start(
    name,
    { kind: "client", attributes: { "db.system.name": "postgresql" } },
    parent,
  );
  return (error) => {
    if (error !== undefined) markFailed(span, error);
    span.end();
  };
}

const NAMES_MAX = 1_000;
const names = new Map<string, string>();

/** What a statement reads first is often no table. */
const notNames = new Set(["unnest", "lateral", "select", "jsonb_array_elements", "generate_series"]);

/** `UPDATE events`; of a statement that calls one of the database's functions, that: `WITH place_gated_calls`. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const [verb = ""] = /^\w+/.exec(text.trimStart()) ?? [];
  const objects = [
    ...text.matchAll(/\b(?:from|into|update|join)\s+(?:only\s+|lateral\s+)?"?([a-z_]\w*)"?(\s*\()?/gi),
  ]
    .map(([, object = "", call]) => ({ object, isCall: call !== undefined }))
    .filter(({ object }) => !notNames.has(object.toLowerCase()));
  const { object = "" } = objects.find(({ isCall }) => isCall) ?? objects[0] ?? {};
  const name = `${verb.toUpperCase()} ${object}`.trimEnd();
  if (names.size < NAMES_MAX) names.set(text, name);
  return name;
}
