import { PROCESS_CONNECTIONS_MAX } from "#db/client.ts";
import type { Env } from "#src/settings/env.ts";

/** A process that is replaced, and scripts beside all of them. */
const SPARE_CONNECTIONS = 60;

/** What the embedded Postgres must take: the connections of the web processes and of the worker, and spare ones. */
export function connectionsFor({ webConcurrency }: Pick<Env, "webConcurrency">): number {
  return (webConcurrency + 1) * PROCESS_CONNECTIONS_MAX + SPARE_CONNECTIONS;
}
