import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { Env } from "#src/settings/env.ts";
import { isLocal } from "#src/settings/refuse-unsafe.ts";

type Started = Pick<Env, "production" | "host" | "publicUrl" | "port">;
type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * How phones in the same room reach a start that only its own computer can open: lines of the welcome. None for a start that others
 * reach already, and on a computer without a network.
 */
export function hintForPhones(
  { production, host, publicUrl, port }: Started,
  interfaces: Interfaces = networkInterfaces(),
): string[] {
  const address = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  if (production || !isLocal(host) || !isLocal(new URL(publicUrl).hostname) || address === undefined)
    return [];
  return [
    "",
    "Only this computer can open it. For phones in a network of people whom you trust, stop it and start it with",
    `  HOST=0.0.0.0 PUBLIC_URL=http://${address}:${port} NODE_ENV=development`,
  ];
}
