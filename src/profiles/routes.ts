import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readLate } from "#src/http/read-late.ts";
import { unlinkAccount } from "#src/people/oidc/unlink-account.ts";
import { alreadySignedIn } from "#src/people/sign-ins/refusal.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { detachSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import {
  changeRoles,
  deactivateUser,
  type ManageUserInput,
  reactivateUser,
  unlockUser,
} from "#src/people/users/manage-user.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { deleteAccount } from "./delete-account.ts";
import { profilesEndpoints } from "./endpoints.ts";
import { exportAccount } from "./export-account.ts";
import { findProfile } from "./find-profile.ts";
import { findRecords } from "./find-records.ts";
import { listUsers } from "./list-users.ts";
import { mergeUser } from "./merge-user.ts";
import { removeName } from "./remove-name.ts";
import { updateProfile } from "./update-profile.ts";

type ManageRequest = {
  params: { id: number };
  body: { user: { reason?: string | undefined } };
  viewer: Viewer;
  ifVersion: number | null;
};

export function profilesRoutes(deps: Deps) {
  const { db } = deps.pool;
  const show = async (viewer: Viewer, userId: number) => ({
    user: await findProfile(db, { userId, viewer }, serverNow()),
  });
  const manage =
    (verb: (deps: Deps, input: ManageUserInput) => Promise<void>) => async (request: ManageRequest) => {
      await verb(deps, manageInput(request));
      return show(request.viewer, request.params.id);
    };
  return serveEndpoints(profilesEndpoints, {
    listUsers: ({ request, query, page, now }) =>
      readLate(deps, request, ({ pool }) => listUsers(pool.db, { query, page }, now)),
    showOwnProfile: ({ viewer }) => show(viewer, viewer.id),
    exportAccount: ({ request, viewer }) =>
      readLate(deps, request, (reader) => exportAccount(reader, viewer.id)),
    deleteAccount: async ({ context, viewer, authentication: { signInId }, body }) => {
      await deleteAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, context);
    },
    showProfile: ({ viewer, params }) => show(viewer, params.id),
    showRecords: async ({ params }) => {
      await requireUser(db, params.id);
      return { records: await findRecords(deps, { userId: params.id }) };
    },
    updateProfile: async ({ viewer, params, body, ifVersion }) => {
      await updateProfile(deps, { userId: params.id, actor: viewer, change: body.user, ifVersion });
      return show(viewer, params.id);
    },
    changeGuest: async ({ viewer, body }) => {
      if (!viewer.guest) throw alreadySignedIn();
      await updateProfile(deps, { userId: viewer.id, actor: viewer, change: body.user });
      return show(viewer, viewer.id);
    },
    unlockUser: manage(unlockUser),
    deactivateUser: manage(deactivateUser),
    reactivateUser: manage(reactivateUser),
    removeName: manage(removeName),
    unlinkUser: manage(unlinkAccount),
    mergeUser: async (request) => {
      await mergeUser(deps, { ...manageInput(request), account: request.body.user.account });
      return show(request.viewer, request.params.id);
    },
    changeRoles: async (request) => {
      await changeRoles(deps, { ...manageInput(request), roles: request.body.user.roles });
      return show(request.viewer, request.params.id);
    },
  });
}

function manageInput({ params, body, viewer, ifVersion }: ManageRequest): ManageUserInput {
  return { userId: params.id, actor: viewer, reason: body.user.reason ?? null, ifVersion };
}
