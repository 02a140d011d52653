import { countOf } from "../base/format/count.ts";

/** The texts of the forms for a session. */

// New session screen
export const newSession = "New session";
export const createTheSession = "Create the session";
export const cancel = "Cancel";

// Edit session screen
export const sessionOver = "This session is over. It stays as it was played.";
export const editTitle = (name: string) => `Edit ${name}`;
export const save = "Save";
export const cannotDelete = "Only a session that has not started can be deleted.";
export const deleteWord = "Delete";
export const deleteHint =
  "A session that has not started goes with its actions, as if it had never been planned.";
export const deleteTheSession = "Delete the session";
export const deleteConfirm = (name: string) => `Delete ${name}?`;
export const deleteConfirmHint = (eventsCount: number) =>
  `It goes with ${countOf(eventsCount, "action")}, and its address with it. There is no way back.`;

// Hosts
export const hosts = "Hosts";
export const hostsHint =
  "A host runs this session like an admin: control room, chat, big screen, replay. Nothing else: no blueprints, users or wallets, and no other session.";
export const noHosts = "Only admins run it so far.";
export const hostMadeBy = (madeBy: string, day: string) => `Added by ${madeBy} on ${day}`;
export const hostUser = "Name or email";
export const addHost = "Add host";
export const removeHost = "Remove";
export const removeHostOf = (username: string) => `Remove ${username} as a host?`;
export const removeHostHint = (username: string) =>
  `${username} is an ordinary player of this session then, at once. Calls and results stay.`;

// Session form
export const name = "Name";
export const description = "Description";
export const startsAt = "Starts at";
export const startsAtHint = (zone: string) =>
  `For the list of sessions, in ${zone}. It starts when you press Start.`;
export const slug = "Slug";
export const exampleSlug = "friday-derby";
export const slugHint =
  "The end of its address: small letters, digits and dashes. Made from the name where it is empty. It stays.";

// Setting fields
export const settings = "Settings";
export const leadSeconds = "Lead, seconds";
export const leadHint = "Players see an action this many seconds before it opens.";
export const settlementDelaySeconds = "Settlement delay, seconds";
export const settlementDelayHint =
  "A result is paid this many seconds after it. Until then a host can take it back.";
export const settingsLocked = "The session has started: this stays as it was decided.";
export const smallRoomByAdmins = "Only an admin changes this.";
export const smallRoom = "Small room: hosts may also call in it.";
export const isPrivate = "Private: only those with its code or link find it. It is in no list for others.";
export const houseDollar = "On the house: who has run out of play money may call each action with $1.";
export const chatApproval = "Approve chat: a message is on the big screen only once a host has let it.";
export const voidUncalled =
  "Actions that nobody called settle themselves: void, when the time for their result is over.";
export const teams = "Teams";
export const teamsHint = (min: number, max: number) =>
  `${min} to ${max} names, one a line. Empty: everybody plays alone. Once players are in them, change names and add teams at the end.`;
