/** A pong frame, without a text. A socket that answers no pings is closed. */
export const PONG = new Uint8Array([0x8a, 0x80, 0, 0, 0, 0]);

/** Takes the whole frames of a server from the beginning of what was received: texts and pings. @returns the rest. */
export function takeFrames(
  received: string,
  take: { text: (text: string) => void; ping: () => void },
): string {
  let at = 0;
  for (;;) {
    const short = received.charCodeAt(at + 1);
    const start = at + (short === 126 ? 4 : 2);
    if (received.length < start || Number.isNaN(short)) return received.slice(at);
    const length = short === 126 ? received.charCodeAt(at + 2) * 256 + received.charCodeAt(at + 3) : short;
    if (received.length < start + length) return received.slice(at);
    const opcode = received.charCodeAt(at);
    if (opcode === 0x81) take.text(received.slice(start, start + length));
    if (opcode === 0x89) take.ping();
    at = start + length;
  }
}
