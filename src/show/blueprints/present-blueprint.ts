import * as v from "valibot";
import { dollarsOf } from "#src/http/money.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { BlueprintEventView, BlueprintView } from "./schemas.ts";
import type { BlueprintEventRow, BlueprintRow } from "./with-blueprint.ts";

/** A blueprint as admins read it. */
export function presentBlueprint(
  { id, name, description, defaults, version, createdAt, updatedAt }: BlueprintRow,
  { blueprintEvents, sessionsCount }: Pick<BlueprintView, "blueprintEvents" | "sessionsCount">,
): BlueprintView {
  return {
    id,
    name,
    description,
    defaults: v.parse(sessionSettings, defaults),
    blueprintEvents,
    sessionsCount,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** An event of a blueprint as admins read it. */
export function presentBlueprintEvent(row: BlueprintEventRow): BlueprintEventView {
  const { minWagerCents, maxWagerCents, createdAt, updatedAt, ...rest } = row;
  return {
    ...rest,
    minWager: dollarsOf(minWagerCents),
    minWagerCents,
    maxWager: maxWagerCents === null ? null : dollarsOf(maxWagerCents),
    maxWagerCents,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
