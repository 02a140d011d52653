import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "@opentelemetry/api";
import * as v from "valibot";

// Decision: what a piece of work was caused by is carried by AsyncLocalStorage and not by arguments: every line of the log, every
// job and every statement needs it, and no verb does. On Bun 1.4 it costs a request with 40 awaits 0.6 to 3.6 us. A batch that works for
// several requests runs for none of them (see sharedCause): a line with the id of the wrong request is worse than one without.

export type Cause = {
  /** The id of the request that it began with; null if no request did. */
  requestId: string | null;
  /** The span that it belongs to; null where nothing is traced. */
  span: Span | null;
};

const causes = new AsyncLocalStorage<Cause | null>();

/** What caused the work that is running; null for work that nobody asked for, such as a sweep. */
export function currentCause(): Cause | null {
  return causes.getStore() ?? null;
}

/** Runs work, and all that it starts, for this cause; null: for none. */
export function runFor<Result>(cause: Cause | null, work: () => Result): Result {
  return causes.run(cause, work);
}

/** The cause of work that is done for all of these together: theirs, if all have the same. */
export function sharedCause(all: readonly (Cause | null)[]): Cause | null {
  const [first = null] = all;
  return all.every((each) => each === first) ? first : null;
}

const REQUEST_ID = /^[\w.-]{8,64}$/;
const TRACEPARENT = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** A request id as others may send it: letters, digits and `_.-`, 8 to 64 of them. Null for anything else. */
export function readRequestId(text: string | null): string | null {
  return text !== null && REQUEST_ID.test(text) ? text : null;
}

/** A cause as it travels between processes. `traceparent`: the span, as W3C Trace Context writes it. */
const carried = v.object({
  requestId: v.nullable(v.pipe(v.string(), v.regex(REQUEST_ID))),
  traceparent: v.nullable(v.pipe(v.string(), v.regex(TRACEPARENT))),
});
export type CarriedCause = v.InferOutput<typeof carried>;

/** The header `traceparent`; null if it is not well-formed. */
export function readTraceparent(text: string | null): string | null {
  return text !== null && TRACEPARENT.test(text) ? text : null;
}

/** The current cause, to be stored with what it leads to in another process; undefined if there is none. */
export function carryCause(): string | undefined {
  const cause = currentCause();
  if (cause === null) return undefined;
  const { requestId, span } = cause;
  return JSON.stringify({ requestId, traceparent: traceparentOf(span) } satisfies CarriedCause);
}

/** Reads what carryCause has written. Null for anything else: nothing depends on it. */
export function readCarried(text: string | undefined): CarriedCause | null {
  if (text === undefined) return null;
  try {
    const read = v.safeParse(carried, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

function traceparentOf(span: Span | null): string | null {
  if (span === null) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
