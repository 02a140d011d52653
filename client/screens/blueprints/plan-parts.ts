import { decodeBytes } from "#src/show/blueprints/plan-text/decode-bytes.ts";
import { problemsIn } from "#src/show/blueprints/plan-text/plan-reading.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";

/** The reader of plans in text: the same code with which the server reads an import. It is fetched when something is pasted. */
export const planParts = { readPlanText, problemsIn, decodeBytes };
export type PlanParts = typeof planParts;
