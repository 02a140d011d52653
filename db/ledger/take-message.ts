import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

/** A provider's message: the provider's id for it, and the SHA-256 of its bytes, in hex. */
export type ProviderMessage = { provider: string; messageId: string; sha256: string };

/** Stores a message in the transaction that applies it. Returns false if it was received before. */
export async function takeMessage(
  db: Queryable,
  { provider, messageId, sha256 }: ProviderMessage,
): Promise<boolean> {
  const { taken } = await queryRow(
    db,
    v.object({ taken: v.boolean() }),
    sql`SELECT take_message(${provider}, ${messageId}, ${sha256}) AS taken`,
  );
  return taken;
}
