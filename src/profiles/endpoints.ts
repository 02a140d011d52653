import type { Role } from "#db/lists/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { rates } from "#src/http/rates.ts";
import { readLate } from "#src/http/read-late.ts";
import { unlinkAccount } from "#src/people/oidc/unlink-account.ts";
import { mergeRefusals } from "#src/people/sign-ins/endpoints.ts";
import { alreadySignedIn } from "#src/people/sign-ins/refusal.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
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
import { changeRolesBody, guestBody, manageUserBody, mergeUserBody } from "#src/people/users/schemas.ts";
import { refuseOwnName } from "#src/people/users/suggest-guest.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { findProfile } from "./find-profile.ts";
import { findRecords } from "./find-records.ts";
import { listUsers } from "./list-users.ts";
import { mergeUser } from "./merge-user.ts";
import { removeName } from "./remove-name.ts";
import {
  deleteAccountBody,
  profileAnswer,
  profileChange,
  recordsAnswer,
  usersAnswer,
  usersQuery,
} from "./schemas.ts";
import { updateProfile } from "./update-profile.ts";

const { too_many_guests: _own, ...adminMergeRefusals } = mergeRefusals;

const change = { who: "admin", answer: profileAnswer, versioned: true } as const;
const managed = { ...change, body: { user: manageUserBody }, bodyOptional: true } as const;

/** The viewer's own profile. Admins also read and change all profiles, and manage accounts. */
export const profilesEndpoints = {
  listUsers: endpoint({
    route: "GET /api/v1/users",
    summary: "Lists all users, the newest first, or in another order, and those of a search or a role",
    notes:
      "A search, a role, and the order by the last visit list 1,000 users at most: the newest, or those who were here last.",
    who: "admin",
    token: "none",
    query: usersQuery.entries,
    paged: true,
    answer: usersAnswer,
    handle: (deps, { request, query, page, now }) =>
      readLate(deps, request, ({ pool }) => listUsers(pool.db, { query, page }, now)),
  }),
  showOwnProfile: endpoint({
    route: "GET /api/v1/users/me",
    summary: "Shows the signed-in user, with the wallet and the newest calls",
    who: "viewer",
    token: "none",
    answer: profileAnswer,
    handle: (deps, { viewer }) => show(deps, viewer, viewer.id),
  }),
  exportAccount: endpoint({
    route: "GET /api/v1/users/me/export.json",
    summary: "Exports everything that is stored about the signed-in user as a JSON file",
    notes: "The profile, settings and wallet, then one list for each kind of record. Answered as a stream.",
    who: "viewer",
    token: "none",
    rate: rates.exportAccount,
    answer: "file",
    handle: (deps, { request, viewer }) =>
      readLate(deps, request, (reader) => exportAccount(reader, viewer.id)),
  }),
  deleteAccount: endpoint({
    route: "PUT /api/v1/users/me/delete",
    summary: "Deletes the user's own account for good, and signs out",
    notes:
      "Confirmed by the current password or by a passkey. Name, address, phone number, picture, messages, links and sign-ins are deleted. The books keep an anonymous wallet with its balance.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: deleteAccountBody },
    refusals: {
      passkey_refused: { status: 401, when: "The passkey is unknown, or does not answer the challenge." },
      open_calls: { status: 409, when: "The player has open calls." },
    },
    handle: async (deps, { context, viewer, authentication: { signInId }, body }) => {
      await deleteAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, context);
    },
  }),
  showProfile: endpoint({
    route: "GET /api/v1/users/:id",
    summary: "Shows a user, with the wallet and the newest calls",
    who: "own",
    token: "none",
    answer: profileAnswer,
    handle: (deps, { viewer, params }) => show(deps, viewer, params.id),
  }),
  showRecords: endpoint({
    route: "GET /api/v1/users/:id/records",
    summary: "Shows the records of a user: the longest streak, the best night, and the ranks in seasons",
    notes: "Over all shows, each with when it happened. A private show is not named.",
    who: "own",
    token: "none",
    answer: recordsAnswer,
    handle: async (deps, { params }) => {
      await requireUser(deps.pool.db, params.id);
      return { records: await findRecords(deps, { userId: params.id }) };
    },
  }),
  updateProfile: endpoint({
    route: "PATCH /api/v1/users/:id",
    summary: "Changes the username, phone number and picture or face of a user",
    notes:
      "The signed-in user's own; admins change those of all users, with an entry in the audit log. Addresses and passwords are not changed here.",
    who: "own-account",
    body: { user: profileChange },
    answer: profileAnswer,
    versioned: true,
    handle: async (deps, { viewer, params, body, ifVersion }) => {
      await updateProfile(deps, { userId: params.id, actor: viewer, change: body.user, ifVersion });
      return show(deps, viewer, params.id);
    },
  }),
  changeGuest: endpoint({
    route: "PATCH /users/guest",
    summary: "Changes the name and the face of a guest",
    notes:
      "Both go into the account with the guest. An account is changed by PATCH /api/v1/users/:id: 409 here. In a session with `settings.givenNames` a guest keeps the given name.",
    who: "viewer",
    body: { user: guestBody },
    answer: profileAnswer,
    handle: async (deps, { viewer, body }) => {
      if (!viewer.guest) throw alreadySignedIn();
      await refuseOwnName(deps.pool.db, viewer, body.user.username);
      await updateProfile(deps, { userId: viewer.id, actor: viewer, change: body.user });
      return show(deps, viewer, viewer.id);
    },
  }),
  unlockUser: endpoint({
    ...managed,
    route: "PUT /api/v1/users/:id/unlock",
    summary: "Unlocks an account after too many wrong passwords",
    handle: manage(unlockUser),
  }),
  deactivateUser: endpoint({
    ...managed,
    route: "PUT /api/v1/users/:id/deactivate",
    summary: "Deactivates an account and signs it out everywhere",
    handle: manage(deactivateUser),
  }),
  reactivateUser: endpoint({
    ...managed,
    route: "PUT /api/v1/users/:id/reactivate",
    summary: "Reactivates an account",
    handle: manage(reactivateUser),
  }),
  removeName: endpoint({
    ...managed,
    route: "PUT /api/v1/users/:id/remove_name",
    summary: "Takes the name, the face and the picture of a user away",
    notes:
      "The user is guest_N until choosing another name, and is notified. The name is refused to everybody until an admin gives it to somebody.",
    handle: manage(removeName),
  }),
  unlinkUser: endpoint({
    ...managed,
    route: "PUT /api/v1/users/:id/unlink",
    summary: "Takes the person of the provider of OpenID Connect off an account",
    notes:
      "What a claim has given goes, and the account is signed out everywhere. The next person of the provider with its address gets it.",
    handle: manage(unlinkAccount),
  }),
  mergeUser: endpoint({
    ...change,
    route: "PUT /api/v1/users/:id/merge",
    summary: "Makes a guest a part of an account",
    notes:
      "Calls, results and ranks are the account's then, and what the guest has won beyond its play money. The guest is signed out, its name is free, and the account's player is notified. It cannot be undone.",
    body: { user: mergeUserBody },
    refusals: adminMergeRefusals,
    handle: manage<{ account: string }>(mergeUser),
  }),
  changeRoles: endpoint({
    ...change,
    route: "PUT /api/v1/users/:id/roles",
    summary: "Sets the roles of a user",
    body: { user: changeRolesBody },
    handle: manage<{ roles: Role[] }>(changeRoles),
  }),
};

async function show({ pool }: Deps, viewer: Viewer, userId: number) {
  return { user: await findProfile(pool.db, { userId, viewer }, serverNow()) };
}

type ManageRequest<Terms> = {
  params: { id: number };
  body: { user: Terms & { reason?: string | undefined } };
  viewer: Viewer;
  ifVersion: number | null;
};

function manage<Terms extends object>(verb: (deps: Deps, input: ManageUserInput & Terms) => Promise<void>) {
  return async (deps: Deps, { params, body: { user }, viewer, ifVersion }: ManageRequest<Terms>) => {
    const reason = user.reason ?? null;
    await verb(deps, { ...user, userId: params.id, actor: viewer, reason, ifVersion });
    return show(deps, viewer, params.id);
  };
}
