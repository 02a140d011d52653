import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { mergeRefusals } from "#src/people/sign-ins/endpoints.ts";
import { changeRolesBody, guestBody, manageUserBody, mergeUserBody } from "#src/people/users/schemas.ts";
import {
  deleteAccountBody,
  profileAnswer,
  profileChange,
  recordsAnswer,
  usersAnswer,
  usersQuery,
} from "./schemas.ts";

const { too_many_guests: _own, ...adminMergeRefusals } = mergeRefusals;

/** What an admin does with a user. */
const managed = {
  who: "admin",
  body: { user: manageUserBody },
  bodyOptional: true,
  answer: profileAnswer,
  versioned: true,
} as const;

/** The viewer's own profile. Admins also read and change all profiles, and manage accounts. */
export const profilesEndpoints = {
  listUsers: {
    route: "GET /api/v1/users",
    summary: "Lists all users, the newest first, or in another order, and those of a search or a role",
    notes:
      "A search, a role, and the order by the last visit list 1,000 users at most: the newest, or those who were here last.",
    who: "admin",
    token: "none",
    query: usersQuery.entries,
    paged: true,
    answer: usersAnswer,
  },
  showOwnProfile: {
    route: "GET /api/v1/users/me",
    summary: "Shows the signed-in user, with the wallet and the newest calls",
    who: "viewer",
    token: "none",
    answer: profileAnswer,
  },
  exportAccount: {
    route: "GET /api/v1/users/me/export.json",
    summary: "Exports everything that is stored about the signed-in user as a JSON file",
    notes: "The profile, settings and wallet, then one list for each kind of record. Answered as a stream.",
    who: "viewer",
    token: "none",
    rate: rates.exportAccount,
    answer: "file",
  },
  deleteAccount: {
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
  },
  showProfile: {
    route: "GET /api/v1/users/:id",
    summary: "Shows a user, with the wallet and the newest calls",
    who: "own",
    token: "none",
    answer: profileAnswer,
  },
  showRecords: {
    route: "GET /api/v1/users/:id/records",
    summary: "Shows the records of a user: the longest streak, the best night, and the ranks in seasons",
    notes: "Over all shows, each with when it happened. A private show is not named.",
    who: "own",
    token: "none",
    answer: recordsAnswer,
  },
  updateProfile: {
    route: "PATCH /api/v1/users/:id",
    summary: "Changes the username, phone number and picture or face of a user",
    notes:
      "The signed-in user's own; admins change those of all users, with an entry in the audit log. Addresses and passwords are not changed here.",
    who: "own-account",
    body: { user: profileChange },
    answer: profileAnswer,
    versioned: true,
  },
  changeGuest: {
    route: "PATCH /users/guest",
    summary: "Changes the name and the face of a guest",
    notes:
      "Both go into the account with the guest. An account is changed by PATCH /api/v1/users/:id: 409 here.",
    who: "viewer",
    body: { user: guestBody },
    answer: profileAnswer,
  },
  unlockUser: {
    ...managed,
    route: "PUT /api/v1/users/:id/unlock",
    summary: "Unlocks an account after too many wrong passwords",
  },
  deactivateUser: {
    ...managed,
    route: "PUT /api/v1/users/:id/deactivate",
    summary: "Deactivates an account and signs it out everywhere",
  },
  reactivateUser: {
    ...managed,
    route: "PUT /api/v1/users/:id/reactivate",
    summary: "Reactivates an account",
  },
  removeName: {
    ...managed,
    route: "PUT /api/v1/users/:id/remove_name",
    summary: "Takes the name, the face and the picture of a user away",
    notes:
      "The user is guest_N until choosing another name, and is notified. The name is refused to everybody until an admin gives it to somebody.",
  },
  unlinkUser: {
    ...managed,
    route: "PUT /api/v1/users/:id/unlink",
    summary: "Takes the person of the provider of OpenID Connect off an account",
    notes:
      "What a claim has given goes, and the account is signed out everywhere. The next person of the provider with its address gets it.",
  },
  mergeUser: {
    route: "PUT /api/v1/users/:id/merge",
    summary: "Makes a guest a part of an account",
    notes:
      "Calls, results and ranks are the account's then, and what the guest has won beyond its play money. The guest is signed out, its name is free, and the account's player is notified. It cannot be undone.",
    who: "admin",
    body: { user: mergeUserBody },
    answer: profileAnswer,
    versioned: true,
    refusals: adminMergeRefusals,
  },
  changeRoles: {
    route: "PUT /api/v1/users/:id/roles",
    summary: "Sets the roles of a user",
    who: "admin",
    body: { user: changeRolesBody },
    answer: profileAnswer,
    versioned: true,
  },
} as const satisfies Endpoints;
