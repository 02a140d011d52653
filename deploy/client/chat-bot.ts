// Reads a chat, a line `name: text` each, from its input. `!play` links a name with an account of its own, a guest; `!yes 5` and `!no 5` are then
// calls of this account on the event that is open. CALLED_IT, SESSION.
import { createInterface } from "node:readline";
import { CalledItError, connect } from "./index.ts";

const { CALLED_IT = "", SESSION = "" } = process.env;
const accounts = new Map<string, ReturnType<typeof connect>>();

async function answer(name: string, command: string, dollars: number): Promise<string> {
  if (command === "play") {
    const account = connect({ url: CALLED_IT });
    await account.ask("POST /users/guest", { body: { user: { username: name } } });
    accounts.set(name, account);
    return "you play";
  }
  const account = accounts.get(name);
  if (account === undefined) return "say !play first";
  const { events } = await account.ask("GET /api/v1/sessions/:id/events", { params: { id: SESSION } });
  const event = events.find(({ state }) => state === "open");
  const spot = event?.spots.find(({ side }) => side === (command === "yes" ? "true" : "false"));
  if (spot === undefined) return "nothing is open";
  await account.ask("POST /api/v1/calls", { body: { call: { spot_id: spot.id, wager: dollars } } });
  return `called ${spot.label} for $${dollars}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [, name = "", command = "", dollars = "1"] = /^(.+?): !(play|yes|no)(?: (\d+))?$/.exec(line) ?? [];
  if (name === "") continue;
  const said = await answer(name, command, Number(dollars)).catch((error: unknown) => {
    if (error instanceof CalledItError) return error.message;
    throw error;
  });
  console.log(`${name}: ${said}`);
}
