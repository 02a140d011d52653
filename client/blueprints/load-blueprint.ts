import type { LoaderFunctionArgs } from "react-router";
import type { BlueprintView, EditBlueprintAnswer, NewBlueprintAnswer } from "#src/show/blueprints/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiContext } from "../base/page/context.ts";

const SESSIONS_SHOWN = 10;

export type BlueprintData = {
  blueprint: BlueprintView;
  /** Sessions made from it: live ones first, then the newest. */
  sessions: SessionView[];
};

/** Loads a blueprint and the latest sessions made from it. */
export async function loadBlueprint({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<BlueprintData> {
  const api = context.get(apiContext);
  const { blueprint } = await api.get(blueprintPath(params["id"]), {
    signal: request.signal,
  });
  const { sessions } = await api.get("/api/v1/sessions", {
    query: { blueprintId: blueprint.id, perPage: SESSIONS_SHOWN },
    signal: request.signal,
  });
  return { blueprint, sessions };
}

/** Loads the defaults of a new blueprint. */
export async function loadNewBlueprint({
  context,
  request,
}: LoaderFunctionArgs): Promise<NewBlueprintAnswer> {
  return context.get(apiContext).get("/api/v1/blueprints/new", { signal: request.signal });
}

/** Loads a blueprint with what its editor needs. */
export async function loadEditedBlueprint({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<EditBlueprintAnswer> {
  return context.get(apiContext).get(`${blueprintPath(params["id"])}/edit`, { signal: request.signal });
}

/** "/api/v1/blueprints/12" */
export function blueprintPath(id: string | undefined): `/api/v1/blueprints/${string}` {
  return `/api/v1/blueprints/${encodeURIComponent(id ?? "")}`;
}
