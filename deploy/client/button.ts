// A button of a Stream Deck (System, Open): `button.js open | close | yes | no | void | pause | resume` for the event on air.
// CALLED_IT, CALLED_IT_TOKEN (scope run), SESSION.
import { connect } from "./index.ts";

const { CALLED_IT = "", CALLED_IT_TOKEN = "", SESSION = "" } = process.env;
const calledIt = connect({ url: CALLED_IT, token: CALLED_IT_TOKEN });
const [, , button = ""] = process.argv;

const changes = {
  open: { from: "visible", event: { state_event: "open_event" } },
  close: { from: "open", event: { state_event: "close_event" } },
  yes: { from: "closed", event: { state_event: "resolve", result: true } },
  no: { from: "closed", event: { state_event: "resolve", result: false } },
  void: { from: "closed", event: { state_event: "resolve", result: "void" } },
} as const;

if (button === "pause" || button === "resume") {
  await calledIt.ask(`PUT /api/v1/sessions/:id/${button}`, { params: { id: SESSION } });
} else {
  const change = Object.entries(changes).find(([name]) => name === button)?.[1];
  if (change === undefined) throw new Error(`There is no button ${button}.`);
  const { events } = await calledIt.ask("GET /api/v1/sessions/:id/events", { params: { id: SESSION } });
  const event = events.find(({ state }) => state === change.from);
  if (event === undefined) throw new Error(`No event is ${change.from}.`);
  await calledIt.ask("PATCH /api/v1/events/:id/state", {
    params: { id: event.id },
    body: { event: change.event },
  });
  console.log(`${button}: ${event.title}`);
}
