import type { LoaderFunctionArgs } from "react-router";
import type { BlueprintView, EditBlueprintAnswer, NewBlueprintAnswer } from "#src/blueprints/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { apiContext } from "../context.ts";

const SESSIONS_SHOWN = 10;

export type BlueprintData = {
  blueprint: BlueprintView;
  /** Made from it: those that are live first, then the newest. */
  sessions: SessionView[];
};

/** A blueprint, and the latest sessions that were made from it. */
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

/** What the form of a new blueprint starts with. */
export async function loadNewBlueprint({
  context,
  request,
}: LoaderFunctionArgs): Promise<NewBlueprintAnswer> {
  return context.get(apiContext).get("/api/v1/blueprints/new", { signal: request.signal });
}

/** A blueprint with what its editor needs. */
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
