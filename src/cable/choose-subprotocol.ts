/** What we speak, and the name under which a client is told that we speak nothing it knows. */
const known = ["actioncable-v1-json", "actioncable-unsupported"];

/**
 * Chooses from what the client offers: the first that we know.
 * @param offer the header Sec-WebSocket-Protocol, null where there is none.
 * @returns "" where nothing is to be chosen: Bun then leaves the header out, where otherwise it would echo the first
 *   offer, even an unknown one.
 */
export function chooseSubprotocol(offer: string | null): string {
  const offered = (offer ?? "").split(",").map((name) => name.trim());
  return offered.find((name) => known.includes(name)) ?? "";
}
