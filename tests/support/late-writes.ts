import type { Socket } from "node:net";

/** What a proxy writes, later by a time that may change. The order stays. */
export class LateWrites {
  #delayMs = 0;

  setDelay(ms: number): void {
    this.#delayMs = ms;
  }

  /** @returns writes to this socket. */
  to(socket: Socket): (data: Uint8Array | string) => void {
    let waiting = 0;
    let last: Promise<unknown> = Promise.resolve();
    return (data) => {
      if (waiting === 0 && this.#delayMs === 0) {
        socket.write(data);
        return;
      }
      waiting += 1;
      last = Promise.all([last, Bun.sleep(this.#delayMs)]).then(() => {
        waiting -= 1;
        socket.write(data);
      });
    };
  }
}
