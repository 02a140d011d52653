import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import * as v from "valibot";
import { afterFile } from "./after-file.ts";
import { LateWrites } from "./late-writes.ts";

/** A port before a server: closed, nothing listens there and nothing is connected, as if the server were stopped. */
export type Gate = {
  port: number;
  close: () => Promise<void>;
  open: () => Promise<void>;
  /** What the server says from now on arrives so much later. */
  delay: (ms: number) => void;
};

const address = v.object({ port: v.number() });

/** Opens a gate before a port of the loopback address. It ends with the file. */
export async function createGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const late = new LateWrites();
  const join = (client: Socket) => {
    const server = createConnection(target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(server);
    server.on("data", late.to(client));
  };
  let listening = await listen(0);
  const { port } = v.parse(address, listening.address());
  async function listen(at: number): Promise<Server> {
    const server = createServer(join).listen(at, "127.0.0.1");
    await once(server, "listening");
    return server;
  }
  const close = async () => {
    const closed = once(listening, "close");
    listening.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  afterFile(async () => {
    if (listening.listening) await close();
  });
  return {
    port,
    close,
    open: async () => {
      listening = await listen(port);
    },
    delay: (ms) => late.setDelay(ms),
  };
}
