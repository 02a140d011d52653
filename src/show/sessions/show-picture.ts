import { eq } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import { publishedStates } from "#src/show/events/contract.ts";
import { presentPicture, questionPictureKind } from "#src/show/events/question-picture.ts";
import { requireWatcher } from "./require-watcher.ts";

/** All players of a show ask for the picture of a question when they can read it. */
const readQuestion = batchReads<DatabasePool, number, Question | undefined>(
  (id) => id,
  async ({ db }, [id]) => {
    const [event] = await db
      .select({ sessionId: events.sessionId, state: events.state, picture: events.picture })
      .from(events)
      .where(eq(events.id, id));
    return () => event;
  },
);
const readFile = batchReads<Deps["store"], string, Uint8Array | null>(
  (key) => key,
  async (store, [key]) => {
    const bytes = await store.get(key);
    return () => bytes;
  },
);

type Question = Pick<typeof events.$inferSelect, "sessionId" | "state" | "picture">;
type PictureDeps = Pick<Deps, "env" | "pool" | "store">;
type Asked = { id: number; key: string };

/**
 * Serves the picture of an event to who may read the event: its hosts, and from its publishing on all who may watch its session.
 * @param stageKey that of a stage link; empty without one.
 */
export async function showEventPicture(
  deps: PictureDeps,
  authentication: Authentication,
  { id, key, stageKey }: Asked & { stageKey: string },
): Promise<Response> {
  const event = await readQuestion(deps.pool, id);
  const { viewer } = authentication;
  if (event?.sessionId == null) return isAdmin(viewer) ? servePicture(deps, event, key) : notThere();
  if (can(viewer, "run", { id: event.sessionId })) return servePicture(deps, event, key);
  // The answer must not show that a private session exists.
  await requireWatcher(deps, authentication, { slugOrId: String(event.sessionId), key: stageKey }).catch(
    (error: unknown) => {
      throw error instanceof Refusal ? notFound() : error;
    },
  );
  return publishedStates.includes(event.state) ? servePicture(deps, event, key) : notThere();
}

/** Serves the picture of a blueprint's event. The caller is an admin. */
export async function showBlueprintPicture(deps: PictureDeps, { id, key }: Asked): Promise<Response> {
  const [event] = await deps.pool.db
    .select({ picture: blueprintEvents.picture })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.id, id));
  return servePicture(deps, event, key);
}

async function servePicture(
  { store }: PictureDeps,
  question: { picture: unknown } | undefined,
  key: string,
): Promise<Response> {
  const bytes = presentPicture(question?.picture, "")?.key === key ? await readFile(store, key) : null;
  if (bytes === null) return notThere();
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": questionPictureKind.contentType,
      "content-disposition": `inline; filename="${questionPictureKind.filename}"`,
      // Another picture has another address. Who may read it is asked again after a while.
      "cache-control": "private, max-age=86400, immutable",
    },
  });
}

function notThere(): never {
  throw notFound();
}
