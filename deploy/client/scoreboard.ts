// A scoreboard: prints the leaders of a session whenever they change. CALLED_IT, CALLED_IT_TOKEN (scope read), SESSION.
import { connect } from "./index.ts";

const { CALLED_IT = "", CALLED_IT_TOKEN = "", SESSION = "" } = process.env;
const calledIt = connect({ url: CALLED_IT, token: CALLED_IT_TOKEN });

type Leader = { rank: number; username: string; net: number };
const show = (leaders: readonly Leader[]) =>
  console.log(
    leaders
      .slice(0, 5)
      .map(({ rank, username, net }) => `${rank}. ${username} ${net.toFixed(2)}`)
      .join("   "),
  );

async function read() {
  show((await calledIt.ask("GET /api/v1/scores/leaders", { query: { session_id: SESSION } })).leaders);
}

await read();
calledIt.follow(
  SESSION,
  (message) => {
    if (message.sourceType === "Score") show(message.detail.leaders);
  },
  read,
);
