import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import * as v from "valibot";
import { afterFile } from "./after-file.ts";

/** What is wrong with a proxy before the product. */
export type ProxyFault = "drops Upgrade" | "hides addresses" | "buffers" | "serves another page";

/** The address of the players behind it. */
const PLAYER = "203.0.113.9";

/** Starts a proxy for HTTP before a port of the loopback address, for one request a connection. It ends with the file. */
export async function startProxyBefore(target: () => number) {
  let fault: ProxyFault | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const product = connect(target(), "127.0.0.1");
    for (const end of [client, product]) sockets.add(end.on("error", () => undefined));
    client.once("data", (head) => {
      product.write(passed(head.toString("latin1"), fault));
      client.pipe(product);
    });
    const held: Uint8Array[] = [];
    product.on("data", (part: Uint8Array) => (fault === "buffers" ? held.push(part) : client.write(part)));
    product.on("close", () => client.end(Buffer.concat(held)));
    client.on("close", () => product.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  afterFile(stop);
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  return { url: `http://127.0.0.1:${port}`, goWrong: (how: ProxyFault | null) => (fault = how), stop };
}

function passed(head: string, fault: ProxyFault | null): string {
  const added = fault === "hides addresses" ? "" : `X-Forwarded-For: ${PLAYER}\r\n`;
  const upgrades = fault !== "drops Upgrade" && /^upgrade: /im.test(head);
  const kept = upgrades ? head : head.replaceAll(/^(upgrade|connection): .*\r\n/gim, "");
  const path = fault === "serves another page" ? kept.replace(/^GET \/join/, "GET /version") : kept;
  return path.replace("\r\n", `\r\n${added}${upgrades ? "" : "Connection: close\r\n"}`);
}
