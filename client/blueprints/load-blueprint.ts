import type { LoaderArgs } from "#client/base/page/handle.ts";
import type {
  BlueprintView,
  EditBlueprintAnswer,
  NewBlueprintAnswer,
  RemovalView,
} from "#src/show/blueprints/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

const SESSIONS_SHOWN = 10;
const PAST_SESSIONS = 50;

export type BlueprintData = {
  blueprint: BlueprintView;
  /** Sessions made from it: live ones first, then the newest. */
  sessions: SessionView[];
};

export async function loadBlueprint({ api, params }: LoaderArgs) {
  const { blueprint } = await api.get(blueprintPath(params["id"]));
  const query = { blueprintId: blueprint.id, perPage: SESSIONS_SHOWN };
  const { sessions } = await api.get("/api/v1/sessions", { query });
  return { blueprint, sessions } satisfies BlueprintData;
}

export type NewBlueprintData = NewBlueprintAnswer & {
  /** The latest sessions that are over; a blueprint can be made of each. */
  sessions: SessionView[];
};

export async function loadNewBlueprint({ api }: LoaderArgs) {
  const query = { state: "stopped", perPage: PAST_SESSIONS } as const;
  const [offered, { sessions }] = await Promise.all([
    api.get("/api/v1/blueprints/new"),
    api.get("/api/v1/sessions", { query }),
  ]);
  return { ...offered, sessions } satisfies NewBlueprintData;
}

export type EditedBlueprint = EditBlueprintAnswer & { removals: RemovalView[] };

export async function loadEditedBlueprint({ api, params }: LoaderArgs) {
  const edited = await api.get(`${blueprintPath(params["id"])}/edit`);
  const query = { blueprintId: edited.blueprint.id };
  const { removals } = await api.get("/api/v1/blueprint_removals", { query });
  return { ...edited, removals } satisfies EditedBlueprint;
}

/** "/api/v1/blueprints/12" */
export function blueprintPath(id: string | undefined): `/api/v1/blueprints/${string}` {
  return `/api/v1/blueprints/${encodeURIComponent(id ?? "")}`;
}
