import { CalledIt, CalledItError, type Options } from "./called-it.ts";
import type { Endpoints, SessionMessage } from "./types.ts";

export type * from "./types.ts";
export { CalledItError };

/** A client of a server. */
export const connect = (options: Options) => new CalledIt<Endpoints, SessionMessage>(options);
