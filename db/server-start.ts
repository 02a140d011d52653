import { sql } from "drizzle-orm";

/**
 * In SQL: when this server was started. A part of each version that is made of `xmin`: a replica that was promoted without the last
 * transactions of its primary gives their ids again, so an equal `xmin` of another server says nothing.
 */
export const serverStart = sql`extract(epoch FROM pg_postmaster_start_time())`;
