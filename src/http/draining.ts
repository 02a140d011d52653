// Decision: a web process that ends is not missed by anybody. First it drains: it still serves everything, but each answer closes
// its connection, so that no client sends a request on one that is about to close. When it leaves, /ready also answers 503, so
// that proxies take it out; when another process takes over the port, the host stays ready. Only then the port is closed, and the
// sockets get their goodbye last, so that none of them comes back to this process.

/** Ends a web process whose port others have taken over. SIGTERM and SIGINT are for one that leaves. */
export const HANDOVER_SIGNAL = "SIGUSR2";

/** How a web process ends: it leaves its address, or other processes on the same port take over. */
export type Ending = "leaving" | "handing over";

/** Whether a process drains; null while it simply serves. */
export type Draining = { ending: Ending | null };

/** The process is about to end: the client opens a new connection for its next request. */
export function closeConnection({ ending }: Draining, response: Response | undefined): void {
  if (ending !== null) response?.headers.set("connection", "close");
}
