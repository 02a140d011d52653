import * as v from "valibot";
import { reactionKinds } from "#db/lists/reactions.ts";

/** Body of POST /api/v1/sessions/:id/reactions under `reaction`. */
export const createReactionBody = v.strictObject({ kind: v.picklist(reactionKinds, "is invalid") });
