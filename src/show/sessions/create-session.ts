import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { refuseUnfitName } from "#src/base/refuse-unfit-name.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { checkBrand, mergeBrand, withBrand } from "#src/show/brands/change-brand.ts";
import { insertSession } from "./insert-session.ts";
import { type CreateSessionBody, sessionSettings } from "./schemas.ts";
import { termsOf } from "./session-terms.ts";
import { auditSession } from "./with-session.ts";

/**
 * Creates a pending session without events.
 * @returns the session's id.
 * @throws Refusal 422 for a slug that is taken, a name with an insult, teams that refuseUnfitTeams refuses, and a brand that checkBrand
 *   refuses.
 */
export async function createSession(
  deps: Pick<Deps, "pool" | "env" | "store">,
  { actor, settings: { brand, ...settings } = {}, ...terms }: CreateSessionBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<{ id: number }> {
  refuseUnfitName({ name: terms.name });
  refuseUnfitTeams(settings.teams, "settings.teams");
  const change = await checkBrand(deps, { brand, viewer: actor, at: "settings.brand" });
  return inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, madeRow, async () => {
      const session = await insertSession(tx, {
        ...terms,
        settings: v.parse(sessionSettings, withBrand(settings, mergeBrand(undefined, change))),
      });
      const after = { slug: session.slug, ...termsOf(session) };
      await auditSession(tx, { session, actor }, { action: "create_session", after });
      return { id: session.id };
    }),
  );
}
