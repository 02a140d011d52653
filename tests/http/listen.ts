import type { Deps } from "#src/base/deps.ts";
import { createServer } from "#src/server.ts";
import { Person } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";

/** The server of a test file on a port of its own, and browsers that come to it: from this address through a proxy, or as they are. */
export function listen(deps: Deps) {
  const server = createServer(deps).listen({ port: 0, hostname: "127.0.0.1" });
  afterFile(() => void server.stop(true));
  const port = server.server?.port ?? 0;
  const origin = `http://127.0.0.1:${port}`;
  const comeFrom = (address?: string) => {
    const handle = (request: Request) => {
      if (address !== undefined) request.headers.set("x-forwarded-for", address);
      return fetch(request);
    };
    return new Person({ handle }, origin);
  };
  return { port, origin, comeFrom };
}
