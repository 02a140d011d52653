import type { ServerWebSocket } from "bun";
import { waitFor } from "#tests/support/wait-for.ts";

type Command = { command: string; identifier: string; data?: string };

/** A cable server on this machine whose messages the test sends. It confirms every subscription and has no history. */
export class PlayedCable {
  /** The paths at which pages have connected. */
  readonly paths: string[] = [];
  /** What the pages have sent. */
  readonly commands: Command[] = [];
  readonly #sockets = new Set<ServerWebSocket>();
  readonly #identifiers = new Set<string>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, server) => {
      this.paths.push(new URL(request.url).pathname);
      const headers = { "sec-websocket-protocol": "actioncable-v1-json" };
      return server.upgrade(request, { headers }) ? undefined : new Response("", { status: 404 });
    },
    websocket: {
      open: (socket) => {
        this.#sockets.add(socket);
        socket.send('{"type":"welcome"}');
      },
      message: (socket, text) => this.#perform(socket, JSON.parse(String(text))),
      close: (socket) => void this.#sockets.delete(socket),
    },
  });
  #offset = 0;

  get origin(): string {
    return `ws://127.0.0.1:${this.#server.port}`;
  }

  /** The identifiers of the subscriptions, as the pages sent them. */
  get identifiers(): string[] {
    return [...this.#identifiers];
  }

  /** Sends a message to all pages that subscribe to this channel, with the stream's next offset. */
  broadcast(channel: { channel: string; id: string }, message: object): void {
    this.#offset += 1;
    const numbered = { epoch: "e", offset: this.#offset, ...message };
    for (const socket of this.#sockets) {
      socket.send(JSON.stringify({ identifier: JSON.stringify(channel), message: numbered }));
    }
  }

  /** Closes all sockets. The pages connect again. */
  cut(): void {
    for (const socket of this.#sockets) socket.close(1001);
  }

  async stop(): Promise<void> {
    // Keeps the client from reconnecting.
    for (const socket of this.#sockets)
      socket.send('{"type":"disconnect","reason":"remote","reconnect":false}');
    await waitFor("the pages to go", () => this.#sockets.size === 0);
    await this.#server.stop(true);
  }

  #perform(socket: ServerWebSocket, sent: Command): void {
    const { command, identifier, data } = sent;
    this.commands.push(sent);
    if (command === "subscribe") {
      this.#identifiers.add(identifier);
      socket.send(JSON.stringify({ type: "confirm_subscription", identifier }));
    }
    if (data === undefined) return;
    const latest = { epoch: "e", offset: this.#offset };
    // A page without an offset may have missed messages.
    const { epoch }: { epoch?: string } = JSON.parse(data);
    const message = epoch === undefined ? { gap: true, ...latest } : { caughtUp: latest };
    socket.send(JSON.stringify({ identifier, message }));
  }
}
