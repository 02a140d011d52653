import type { createServer } from "#src/server.ts";

/** The server as tests call it, without a port. */
export type Server = ReturnType<typeof createServer>;
