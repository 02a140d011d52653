import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { autoResults, startModes } from "#db/lists/events.ts";
import { autoResultLabel, startModeLabel } from "#src/show/events/contract.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { blueprintLimits, offeredDurations } from "./contract.ts";
import { findBlueprintView } from "./find-blueprint-views.ts";
import type { BlueprintOptions, EditBlueprintAnswer, NewBlueprintAnswer } from "./schemas.ts";

/** The defaults and options of the form for a new blueprint. */
export function offerNewBlueprint(): NewBlueprintAnswer {
  const blueprint = {
    id: null,
    name: "",
    description: "",
    defaults: v.parse(sessionSettings, {}),
    blueprintEvents: [],
    sessionsCount: 0,
  };
  return { blueprint, options };
}

/**
 * A blueprint with the options of its form.
 * @throws Refusal 404 for an unknown blueprint.
 */
export async function offerBlueprint(db: Queryable, blueprintId: number): Promise<EditBlueprintAnswer> {
  return { blueprint: await findBlueprintView(db, blueprintId), options };
}

const options: BlueprintOptions = {
  startModes: startModes.map((value) => ({ value, label: startModeLabel(value) })),
  autoResults: autoResults.map((value) => ({ value, label: autoResultLabel(value) })),
  durations: offeredDurations,
  limits: blueprintLimits,
  // The same as the column defaults of blueprint_events.
  blueprintEvent: {
    description: "",
    picture: null,
    explanation: "",
    hostNote: "",
    trueLabel: "True",
    falseLabel: "False",
    startMode: "after_previous",
    offsetSeconds: 0,
    durationSeconds: 30,
    resolveWithinSeconds: 60,
    minWager: 0.01,
    minWagerCents: 1,
    maxWager: null,
    maxWagerCents: null,
    autoResult: null,
  },
};
