import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { ProfileAnswer, RecordsView } from "#src/profiles/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** The viewer's own profile. */
export async function loadProfile({ context, request }: LoaderFunctionArgs): Promise<ProfileAnswer> {
  return context.get(apiContext).get("/api/v1/users/me", { signal: request.signal });
}

export type OwnProfileData = ProfileAnswer & {
  records: Deferred<RecordsView>;
  /** The sessions that the viewer hosts; null for none. */
  hosted: Deferred<SessionView[]> | null;
};

/** The same with the viewer's records and hosted sessions. */
export async function loadOwnProfile(args: LoaderFunctionArgs): Promise<OwnProfileData> {
  const api = args.context.get(apiContext);
  const { signal } = args.request;
  const { user } = await loadProfile(args);
  const records = await defer(args, async () => {
    const path = `/api/v1/users/${encodeURIComponent(user.id)}/records` as const;
    return (await api.get(path, { signal })).records;
  });
  const hosts = args.context.get(pageContext).viewer?.hostOf.length ?? 0;
  const query = { hosted: true, perPage: 100 };
  const hosted =
    hosts === 0
      ? null
      : await defer(args, async () => (await api.get("/api/v1/sessions", { query, signal })).sessions);
  return { user, records, hosted };
}
