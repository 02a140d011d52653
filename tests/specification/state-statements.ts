import type { NamedTest, Statement } from "./statements.ts";

const events = "tests/events/transitions.test.ts";
const actions = "tests/events/action-matrix.test.ts";
const calls = "tests/calls/transitions.test.ts";
const spots = "tests/spots/transitions.test.ts";
const sessions = "tests/sessions/session-actions.test.ts";
const labels = "tests/client/labels.test.tsx";
const texts = "tests/http/error-texts.test.ts";
const connection = "tests/client/reconnecting.test.ts";
const stayAway = "tests/client/stay-away.test.ts";
const broadcasts: NamedTest = [
  "tests/relay/build-messages.test.ts",
  "a game is broadcast to players and session in order, with nothing private to the session",
];
const localEvents = "tests/client/cable/live-messages.test.tsx";
const button: NamedTest = ["tests/ssr/entity-labels.test.ts", "sends %s of a %s event with the button %s"];
const from = "$name leads from $state to $to";
const spotRefused: NamedTest = [spots, "$name of a $state spot is refused by its label, and changes nothing"];
const eventLeads: NamedTest = [events, "leads from %s to the table's state, with a fact and an audit line"];
const activeCall: NamedTest = [
  "tests/calls/active-calls.test.ts",
  "a call is active while it is placed or closed, and only then its wager is held",
];
const silent = "is closed when the check finds it silent for more than 6 seconds";
const backoff: NamedTest = [
  connection,
  "checks grow apart by a rate of 0.15, at most ten times, with a jitter of up to 1 and then 0.15 (chance %p)",
];

/** The statements of chapter 4 of the specification, states and transitions, by number. */
export const stateStatements: Readonly<Record<string, Statement>> = {
  "4.01": {
    says: "calls are Placed, Resolved or Destroyed",
    test: [labels, "a call is labelled"],
    also: [calls, from],
  },
  "4.02": { says: "or closed, which counts as active", test: activeCall },
  "4.03": { says: "a call is active when placed or closed", test: activeCall },
  "4.04": {
    says: "call events: close, hide (Destroy), resolve",
    test: [calls, from],
    also: [calls, "its owner cannot hide a %s call, and nothing changes"],
  },
  "4.05": {
    says: "event states: draft, open, closed, resolved, hidden, visible, soft_destroyed",
    test: [labels, "an event is labelled"],
    also: eventLeads,
  },
  "4.06": { says: "publish_event, Publish", test: [labels, "publish_event"], also: button },
  "4.07": { says: "open_event, Open", test: [labels, "open_event"], also: button },
  "4.08": { says: "close_event, Close", test: [labels, "close_event"], also: button },
  "4.09": {
    says: "resolve, Resolve",
    test: [labels, "resolve"],
    also: ["tests/ssr/entity-labels.test.ts", "names the panel in which an event is resolved"],
  },
  "4.10": { says: "reset, Reset", test: [labels, "reset"], also: button },
  "4.11": { says: "hide, Hide", test: [labels, "hide"], also: button },
  "4.12": { says: "show, Show", test: [labels, "show"], also: button },
  "4.13": { says: "spot states: open, closed, soft_destroyed", test: [spots, from] },
  "4.14": { says: "open_spot, Open", test: [spots, from], also: spotRefused },
  "4.15": { says: "close, Close", test: [spots, from], also: spotRefused },
  "4.16": { says: "resolve_spot, Resolve", test: [spots, from], also: spotRefused },
  "4.17": { says: "hide, Destroy", test: [spots, from], also: spotRefused },
  "4.18": {
    says: "all other transitions are refused",
    test: [events, "is refused when %s, and nothing changes"],
    also: [calls, "$name does not change a $state call"],
  },
  "4.19": {
    says: "cannot transition when {state}",
    test: [texts, "a transition that the state does not allow"],
    also: [events, "is refused when %s, and nothing changes"],
  },
  "4.20": {
    says: 'cannot transition via "{event}"',
    test: [texts, "an action that the state does not allow"],
    also: [sessions, "is refused when %s, and nothing changes"],
  },
  "4.21": {
    says: "sessions: activate",
    test: [sessions, "is done for a session that is $state with active $active"],
  },
  "4.22": {
    says: "deactivate",
    test: [sessions, "is done for a session that is $state with active $active"],
  },
  "4.23": {
    says: "pause",
    test: [sessions, "leads from %s where the table says, with a fact and an audit line"],
  },
  "4.24": {
    says: "resume",
    test: [sessions, "leads from %s where the table says, with a fact and an audit line"],
  },
  "4.25": {
    says: "start",
    test: [sessions, "leads from %s where the table says, with a fact and an audit line"],
  },
  "4.26": {
    says: "stop",
    test: [sessions, "leads from %s where the table says, with a fact and an audit line"],
  },
  "4.27": {
    says: "a session is pending, running, paused or stopped",
    test: ["tests/ssr/entity-labels.test.ts", "a session that is %s is called %s"],
    also: [sessions, "is refused when %s, and nothing changes"],
  },
  "4.28": { says: "events: advance", test: [actions, "is done when %s"] },
  "4.29": { says: "skip", test: [actions, "is done when %s"] },
  "4.30": { says: "delay", test: [actions, "is done when %s"] },
  "4.31": {
    says: "the state of an event changes by a call of its own",
    test: ["tests/events/routes.test.ts", "opens by the new state, and accepts camelCase"],
  },
  "4.32": { says: "the client reconnects after 6 s without a message", test: [connection, silent] },
  "4.33": { says: "with a backoff rate of 0.15", test: backoff },
  "4.34": { says: "the exponent is capped at 10", test: backoff },
  "4.35": { says: "with jitter", test: backoff },
  "4.36": {
    says: "a page that becomes visible checks after 200 ms",
    test: [connection, "checks its connection after 200 ms"],
  },
  "4.37": {
    says: "reopening waits 500 ms",
    test: [connection, "is opened again 500 ms after it was closed"],
  },
  "4.38": {
    says: "a pending subscription is sent again every 500 ms",
    test: [connection, "a pending subscription is sent again every 500 ms until it is confirmed"],
  },
  "4.39": {
    says: "a rejected subscription notifies the subscriber",
    test: [stayAway, "is told to its subscriber, and the page says that it is not live"],
  },
  "4.40": {
    says: "an unsupported protocol closes the connection for good",
    test: [stayAway, "by a server that supports no protocol of the page"],
  },
  "4.41": { says: "the user channel has close_call", test: broadcasts },
  "4.42": { says: "resolve_call", test: broadcasts },
  "4.43": { says: "balance_change", test: broadcasts },
  "4.44": {
    says: "which update the wallet",
    test: [
      localEvents,
      "a resolve_call is the local event call:resolve with the call, and updates the wallet",
    ],
  },
  "4.45": {
    says: "local event call:close",
    test: [localEvents, "a close_call is the local event call:close with the call"],
  },
  "4.46": {
    says: "call:resolve",
    test: [
      localEvents,
      "a resolve_call is the local event call:resolve with the call, and updates the wallet",
    ],
  },
  "4.47": {
    says: "balance:update",
    test: [localEvents, "a balance_change is the local event balance:update with the wallet, and updates it"],
  },
};
