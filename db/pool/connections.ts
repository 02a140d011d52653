import { SQL } from "bun";
import type { InFlight } from "./in-flight.ts";

/** The connections of a pool to one server, until they are replaced. */
export type Connections = {
  sql: SQL;
  /** Their name at the server, which no other connections have. */
  application: string;
  inFlight: Set<InFlight>;
  /** When the last answer came, on the clock of `performance.now()`. */
  answeredAt: number;
};

/** Opens at most `max` connections, each with the first statement that needs it. */
export function openConnections(options: Bun.SQL.PostgresOrMySQLOptions, max: number): Connections {
  const application = `called-it ${crypto.randomUUID().slice(0, 8)}`;
  const connection = { ...options.connection, application_name: application };
  const sql = new SQL({ ...options, connection, max });
  return { sql, application, inFlight: new Set(), answeredAt: performance.now() };
}
