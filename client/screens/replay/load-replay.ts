import type { LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { ReplayStep } from "#src/replays/contract.ts";
import type { ReplayView } from "#src/replays/schemas.ts";

/** What a replay is, without its steps: the browser fetches those, because they can be megabytes. */
export type ReplayHead = Omit<ReplayView, "steps" | "players" | "next">;

/** Loads the head of a replay. The API decides who may see it. */
export async function loadReplay({ context, params, request }: LoaderFunctionArgs): Promise<ReplayHead> {
  const slug = params["slug"] ?? "";
  const { signal } = request;
  const query = { head: "true" };
  const { replay } = await context.get(apiContext).get(`${sessionPath(slug)}/replay`, { query, signal });
  const { steps: _steps, players: _players, next: _next, ...head } = replay;
  return head;
}

/** A replay as far as it was fetched. */
export type LoadedReplay = { steps: readonly ReplayStep[]; names: ReadonlyMap<number, string> };

/** Fetches all parts of a replay, one after the other. @param onPart is called with what is there after each part. */
export async function fetchReplay(
  api: Api,
  { slug, until }: Pick<ReplayHead, "slug" | "until">,
  { onPart, signal }: { onPart: (loaded: LoadedReplay) => void; signal: AbortSignal },
): Promise<LoadedReplay> {
  const steps: ReplayStep[] = [];
  const names = new Map<number, string>();
  for (let after: string | null | undefined; after !== null;) {
    const part: ReplayView = await fetchPart(api, { slug, after, until }, signal);
    steps.push(...part.steps);
    for (const { id, username } of part.players) names.set(id, username);
    after = part.next;
    onPart({ steps, names });
  }
  return { steps, names };
}

type PartQuery = { slug: string; after: string | undefined; until: string };

async function fetchPart(api: Api, { slug, ...query }: PartQuery, signal: AbortSignal): Promise<ReplayView> {
  return (await api.get(`${sessionPath(slug)}/replay`, { query, signal })).replay;
}
