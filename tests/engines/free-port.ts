/** A port of the loopback address that nothing listens on at this moment. */
export function freePort(): number {
  return freePorts(1)[0] ?? 0;
}

/** So many of them, all different. */
export function freePorts(count: number): number[] {
  const listen = () => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const probes = Array.from({ length: count }, listen);
  for (const probe of probes) probe.stop(true);
  return probes.map(({ port }) => port);
}

/** True if something accepts a connection on this port of the loopback address. */
export async function isOpen(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
