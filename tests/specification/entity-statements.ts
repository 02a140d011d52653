import type { NamedTest, Statement } from "./statements.ts";

const entities = "tests/api/entities.test.ts";
const conventions = "tests/api/resource-conventions.test.ts";
const labels = "tests/ssr/entity-labels.test.ts";
const game = "tests/ssr/game-screens.test.ts";
const client = "tests/client/api.test.ts";
const profile = "tests/profiles/routes.test.ts";
const startsFromMetadata: NamedTest = [
  "tests/client/page.test.ts",
  "the app starts from the page's metadata",
];
const inMetaTags: NamedTest = ["tests/ssr/page.test.ts", "in its meta tags"];
const guestFlag: NamedTest = ["tests/ssr/page.test.ts", "a page of a guest has the flag of a guest"];
const userTypes: NamedTest = [entities, "a user's fields have their types"];
const ownProfile: NamedTest = [
  profile,
  "the own profile has the wallet, the calls newest first, and the joined sessions",
];
const ownNotifications: NamedTest = [
  profile,
  "the own profile counts unread notifications and has the newest",
];
const avatar: NamedTest = [
  "tests/profiles/avatar.test.ts",
  "a %s becomes six pictures that are public and cacheable forever",
];
const wallet: NamedTest = [
  "tests/wallet/routes.test.ts",
  "a wallet has its balance, what is held, and the player's metrics",
];
const call: NamedTest = [entities, "a call names its event, spot and user, and has its state and wager"];
const event: NamedTest = [
  entities,
  "an event has the labels of its sides, its state, its result and its times",
];
const eventTimes: NamedTest = ["tests/ssr/event-times.test.ts", "on the page of its settlement: %s"];
const newAction: NamedTest = [labels, "asks for a True Label and a False Label of a new action"];
const score: NamedTest = [entities, "a score counts the won and the lost events"];
const wonAndLost: NamedTest = [game, "%s counts the events in the columns Won and Lost"];

/** The statements of chapter 3 of the specification, entities and their fields, by number. */
export const entityStatements: Readonly<Record<string, Statement>> = {
  "3.01": { says: "the app's auth state has userRoles, a list", test: startsFromMetadata },
  "3.02": { says: "userId", test: startsFromMetadata },
  "3.03": { says: "userEmail", test: startsFromMetadata },
  "3.04": { says: "csrfToken", test: startsFromMetadata },
  "3.05": {
    says: "userIsGuest",
    test: ["tests/client/page.test.ts", "a guest's page says so, and has no roles"],
  },
  "3.06": { says: "the app is given the user's gid, a string", test: inMetaTags },
  "3.07": { says: "the user's id, a number", test: inMetaTags, also: startsFromMetadata },
  "3.08": { says: "the email", test: inMetaTags },
  "3.09": {
    says: "the roles, an array",
    test: ["tests/ssr/page.test.ts", "with the role of an admin"],
    also: startsFromMetadata,
  },
  "3.10": { says: "the guest flag, a boolean", test: guestFlag, also: inMetaTags },
  "3.11": {
    says: "the anti-forgery token",
    test: [
      "tests/ssr/page.test.ts",
      "its anti-forgery token differs each time and is valid for this sign-in",
    ],
  },
  "3.12": { says: "the anti-forgery parameter name", test: inMetaTags },
  "3.13": { says: "a user has an id", test: userTypes },
  "3.14": { says: "an email", test: userTypes },
  "3.15": { says: "a gid", test: userTypes },
  "3.16": { says: "an avatar, image URLs keyed by size", test: avatar, also: [entities, "an avatar"] },
  "3.17": { says: "the avatar has a default size", test: avatar },
  "3.18": { says: "a username", test: userTypes },
  "3.19": {
    says: "a phone",
    test: [
      "tests/profiles/update-profile.test.ts",
      "a player changes the name and the phone number, together and alone",
    ],
    also: userTypes,
  },
  "3.20": { says: "createdAt", test: userTypes },
  "3.21": { says: "updatedAt", test: userTypes },
  "3.22": { says: "notificationCount", test: ownNotifications, also: userTypes },
  "3.23": { says: "notifications, a list", test: ownNotifications },
  "3.24": { says: "calls, a list", test: ownProfile },
  "3.25": { says: "sessions, a list", test: ownProfile },
  "3.26": { says: "a wallet", test: ownProfile },
  "3.28": { says: "a wallet has an id", test: [entities, "a wallet"] },
  "3.29": { says: "a balance", test: wallet },
  "3.30": { says: "an availableBalance", test: wallet },
  "3.31": { says: "metrics, an object", test: wallet, also: [entities, "a wallet's metrics"] },
  "3.32": { says: "a call has an id", test: call },
  "3.33": { says: "an eventId", test: call },
  "3.34": { says: "a state", test: call },
  "3.35": { says: "a spotId", test: call },
  "3.36": { says: "a userId", test: call },
  "3.37": { says: "a wager", test: call },
  "3.38": { says: "an event has created_at, labelled created", test: event, also: eventTimes },
  "3.39": { says: "published_at, labelled published", test: event, also: eventTimes },
  "3.40": { says: "a result", test: event },
  "3.41": { says: "a true label, labelled True Label", test: newAction, also: event },
  "3.42": { says: "a false label, labelled False Label", test: newAction, also: event },
  "3.43": { says: "a state", test: event },
  "3.44": { says: "a score has wins, labelled Won", test: score, also: wonAndLost },
  "3.45": { says: "losses, labelled Lost", test: score, also: wonAndLost },
  "3.46": { says: "a spot has a state", test: event },
  "3.47": { says: "payments", test: [entities, "a payment"] },
  "3.48": { says: "notifications", test: [entities, "a notification"] },
  "3.49": { says: "results", test: [entities, "a result"] },
  "3.50": { says: "transactions", test: [entities, "a transaction"] },
  "3.51": { says: "blueprints", test: [entities, "a blueprint"] },
  "3.52": {
    says: "blueprint_events with a position",
    test: [entities, "the events of a blueprint have positions from 1 without gaps"],
    also: [entities, "a blueprint's event"],
  },
  "3.53": {
    says: "sessions, identified by slug or id",
    test: [
      entities,
      "a session is found by its slug and by its id, a payment by its reference, and both are the same",
    ],
  },
  "3.54": { says: "session events", test: [entities, "an event of a session"] },
  "3.55": { says: "session registrations", test: [entities, "a registration"] },
  "3.56": { says: "messages", test: [entities, "a message"] },
  "3.57": {
    says: "file blobs with a signed id",
    test: ["tests/storage/direct-upload.test.ts", "an upload is announced, sent and read"],
    also: [entities, "an announced upload"],
  },
  "3.59": {
    says: "request keys are sent in snake_case",
    test: [client, "is JSON with keys in snake_case, however deep, with cookies and the page's token"],
    also: [conventions, "requests are read in snake_case, and answers are in camelCase, however deep"],
  },
  "3.60": {
    says: "response keys are read in camelCase",
    test: [client, "is converted to camelCase"],
    also: [conventions, "requests are read in snake_case, and answers are in camelCase, however deep"],
  },
  "3.61": {
    says: "resources have index, show, create, update and destroy",
    test: [conventions, "a resource is created, shown, updated and destroyed under its singular"],
    also: [conventions, "the list of %s has them under their plural, with its meta"],
  },
  "3.62": {
    says: "payloads are wrapped under the singular resource name",
    test: [conventions, "a payload that is not under the singular of its resource is refused"],
    also: [conventions, "a resource is created, shown, updated and destroyed under its singular"],
  },
  "3.63": {
    says: "an index carries a plural list",
    test: [conventions, "the list of %s has them under their plural, with its meta"],
  },
  "3.64": {
    says: "and meta",
    test: [conventions, "the list of %s has them under their plural, with its meta"],
  },
};
