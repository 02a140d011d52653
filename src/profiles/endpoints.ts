import type { Endpoints } from "#src/http/endpoint.ts";
import { changeRolesBody, manageUserBody } from "#src/users/schemas.ts";
import { profileAnswer, profileChange, usersAnswer, usersQuery } from "./schemas.ts";

/** The viewer's own profile. Admins also read and change all profiles, and manage accounts. */
export const profilesEndpoints = {
  listUsers: {
    method: "GET",
    path: "/api/v1/users",
    summary: "Lists all users, or the first 1,000 that a search finds",
    who: "admin",
    query: usersQuery.entries,
    paged: true,
    answer: usersAnswer,
  },
  showOwnProfile: {
    method: "GET",
    path: "/api/v1/users/me",
    summary: "Shows the signed-in user, with the wallet and the newest calls",
    who: "viewer",
    answer: profileAnswer,
  },
  showProfile: {
    method: "GET",
    path: "/api/v1/users/:id",
    summary: "Shows a user, with the wallet and the newest calls",
    who: "own",
    answer: profileAnswer,
  },
  updateProfile: {
    method: "PATCH",
    path: "/api/v1/users/:id",
    summary: "Changes the username, phone number and picture of a user",
    notes:
      "The signed-in user's own; admins change those of all users, with an entry in the audit log. Addresses and passwords are not changed here.",
    who: "own-account",
    body: { user: profileChange },
    answer: profileAnswer,
    versioned: true,
  },
  unlockUser: {
    method: "PUT",
    path: "/api/v1/users/:id/unlock",
    summary: "Unlocks an account after too many wrong passwords",
    who: "admin",
    body: { user: manageUserBody },
    bodyOptional: true,
    answer: profileAnswer,
    versioned: true,
  },
  deactivateUser: {
    method: "PUT",
    path: "/api/v1/users/:id/deactivate",
    summary: "Deactivates an account and signs it out everywhere",
    who: "admin",
    body: { user: manageUserBody },
    bodyOptional: true,
    answer: profileAnswer,
    versioned: true,
  },
  reactivateUser: {
    method: "PUT",
    path: "/api/v1/users/:id/reactivate",
    summary: "Reactivates an account",
    who: "admin",
    body: { user: manageUserBody },
    bodyOptional: true,
    answer: profileAnswer,
    versioned: true,
  },
  changeRoles: {
    method: "PUT",
    path: "/api/v1/users/:id/roles",
    summary: "Sets the roles of a user",
    who: "admin",
    body: { user: changeRolesBody },
    answer: profileAnswer,
    versioned: true,
  },
} as const satisfies Endpoints;
