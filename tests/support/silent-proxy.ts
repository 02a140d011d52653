import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import * as v from "valibot";
import { afterFile } from "./after-file.ts";
import { LateWrites } from "./late-writes.ts";
import { testServers } from "./servers.ts";

type Pair = { client: Socket; server: Socket; dropped: boolean };

/** What a proxy can do: lose what passes through it without closing a connection, as a firewall or a dead host does. */
type Silence = {
  /** Present connections carry nothing any more, and are never closed. New ones work. */
  dropPresent: () => void;
  /** No connection carries anything, and new ones are accepted without a word, until `thaw`. */
  freeze: () => void;
  /** What was held up since `freeze` is carried. */
  thaw: () => void;
  /** What the server says from now on arrives so much later. */
  delay: (ms: number) => void;
};

/** A proxy before the unix socket of a server, at a socket of the same name. */
export type SilentProxy = Silence & { socket: string };
/** A proxy before a port of the loopback address. */
export type SilentPort = Silence & { port: number };

/** Starts a proxy before the unix socket of a server. It listens on a unix socket of the same name, and ends with the file. */
export async function createSilentProxy(target: string): Promise<SilentProxy> {
  const { folder } = await testServers();
  const socket = path.join(folder, crypto.randomUUID().slice(0, 8), path.basename(target));
  const { server, silence } = makeProxy(() => createConnection(target));
  await Bun.write(path.join(path.dirname(socket), ".keep"), "");
  server.listen(socket);
  await once(server, "listening");
  return { socket, ...silence };
}

/** Starts a proxy before a port of the loopback address. It ends with the file. */
export async function createSilentPort(target: number): Promise<SilentPort> {
  const { server, silence } = makeProxy(() => createConnection(target, "127.0.0.1"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  return { port, ...silence };
}

function makeProxy(connectTarget: () => Socket): { server: Server; silence: Silence } {
  const pairs = new Set<Pair>();
  const late = new LateWrites();
  let frozen = false;
  const server = createServer((client) => {
    const pair = { client, server: connectTarget(), dropped: false };
    pairs.add(pair);
    const carry = (from: Socket, to: Socket, write: (data: Uint8Array | string) => void) => {
      from.on("data", (data) => {
        if (!pair.dropped) write(data);
      });
      // A cut through the proxy is not what is tested.
      from.on("error", () => undefined);
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    carry(client, pair.server, (data) => pair.server.write(data));
    carry(pair.server, client, late.to(client));
    if (frozen) for (const end of [client, pair.server]) end.pause();
  });
  const each = (act: (end: Socket) => void) => {
    for (const { client, server: end } of pairs) for (const one of [client, end]) act(one);
  };
  afterFile(async () => {
    server.close();
    each((end) => end.destroy());
  });
  const silence = {
    dropPresent: () => {
      for (const pair of pairs) pair.dropped = true;
    },
    freeze: () => {
      frozen = true;
      each((end) => end.pause());
    },
    thaw: () => {
      frozen = false;
      each((end) => end.resume());
    },
    delay: (ms: number) => late.setDelay(ms),
  };
  return { server, silence };
}
