import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { ProfileAnswer, RecordsView } from "#src/profiles/schemas.ts";

/** The viewer's own profile. */
export async function loadProfile({ context, request }: LoaderFunctionArgs): Promise<ProfileAnswer> {
  return context.get(apiContext).get("/api/v1/users/me", { signal: request.signal });
}

export type OwnProfileData = ProfileAnswer & { records: Deferred<RecordsView> };

/** The same with the viewer's records. */
export async function loadOwnProfile(args: LoaderFunctionArgs): Promise<OwnProfileData> {
  const api = args.context.get(apiContext);
  const { signal } = args.request;
  const { user } = await loadProfile(args);
  const records = await defer(args, async () => {
    const path = `/api/v1/users/${encodeURIComponent(user.id)}/records` as const;
    return (await api.get(path, { signal })).records;
  });
  return { user, records };
}
