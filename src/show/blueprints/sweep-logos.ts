import { sql } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { blobs } from "#db/schema/blobs.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { logoPath } from "#src/show/brands/contract.ts";
import { LOGO_FILENAME } from "#src/show/brands/store-logo.ts";
import { REMOVAL_KEPT_HOURS } from "./contract.ts";

/** Discards the logos that nothing uses. A removed blueprint keeps its own for as long as the removal can be undone. */
export async function sweepLogos({ pool }: Pick<Deps, "pool">): Promise<void> {
  const address = sql`${logoPath("")} || ${blobs.key}`;
  await pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp(), attached_at = NULL
    WHERE ${blobs.filename} = ${LOGO_FILENAME} AND ${blobs.uploadedById} IS NULL
      AND ${blobs.attachedAt} IS NOT NULL AND ${blobs.discardedAt} IS NULL
      AND NOT EXISTS (SELECT FROM ${sessions} WHERE ${sessions.settings} #>> '{brand,logo}' = ${address})
      AND NOT EXISTS (SELECT FROM ${blueprints} WHERE ${blueprints.defaults} #>> '{brand,logo}' = ${address})
      AND NOT EXISTS (SELECT FROM ${audit} WHERE ${audit.subjectType} = 'blueprint' AND ${audit.action} = 'destroy_blueprint'
        AND ${audit.createdAt} > game_now() - make_interval(hours => ${REMOVAL_KEPT_HOURS + 1})
        AND ${audit.before} #>> '{defaults,brand,logo}' = ${address})`);
}
