import { type HttpConnection, openConnection, type RawAnswer } from "../http-connection.ts";

/** The connections of a proxy: as many as there are requests at once, each used again. */
export class Connections {
  readonly #port: number;
  readonly #free: HttpConnection[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async request(bytes: Buffer): Promise<RawAnswer> {
    const connection = this.#take() ?? (await openConnection("127.0.0.1", this.#port));
    const answer = await connection.request(bytes);
    this.#free.push(connection);
    return answer;
  }

  close(): void {
    for (const connection of this.#free) connection.close();
  }

  #take(): HttpConnection | undefined {
    for (;;) {
      const connection = this.#free.pop();
      if (connection === undefined || connection.isOpen()) return connection;
    }
  }
}
