import { expect, test } from "bun:test";
import { createRoot } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { createApi } from "#client/base/api/api.ts";
import { snakeKeys } from "#client/base/api/key-case.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { ViewContext } from "#client/events/view.ts";
import { HowItEnded } from "#client/screens/action/end/how-it-ended.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { MostWon } from "#src/show/stage/schemas.ts";
import {
  buildActionState,
  buildPage,
  buildScore,
  buildViewer,
  inSeconds,
} from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses } from "#tests/support/wait-for.ts";

afterFile(openDom());
// The answer comes when it does so in a browser.
Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: false, configurable: true });

const nothing = () => undefined;
const placing = {
  pending: null,
  resting: false,
  takenBack: null,
  refusal: null,
  news: "",
  place: async () => undefined,
  cancel: async () => undefined,
  refuse: nothing,
  announce: nothing,
};

type Ended = {
  leaders: readonly ScoreView[];
  /** As the server has brought it with the page; undefined: it has not. */
  mostWon: MostWon | null | undefined;
  /** What the server answers. */
  answer?: object;
  watching?: boolean;
};

/** The card of a show that is over. */
function Ended({ leaders, mostWon, answer = {}, watching = false }: Ended) {
  const api = createApi({
    inProcess: false,
    carry: overHttp({ csrfToken: "token", send: async () => Response.json(answer) }),
  });
  const state = { ...buildActionState([], { state: "stopped" }), leaders: [...leaders] };
  const found = { leaders: [...leaders], me: null, exclusion: null, totalCount: leaders.length };
  return (
    <AppContext value={{ page: { ...buildPage(), viewer: watching ? null : buildViewer() }, api }}>
      <ViewContext
        value={{
          event: null,
          phase: "stopped",
          state,
          data: {
            events: [],
            leaders: found,
            active: null,
            serverTime: inSeconds(0),
            formKey: "key",
            formCents: 100,
            ...(mostWon === undefined ? {} : { mostWon }),
          },
          offline: false,
          refused: false,
          watching,
          breakUntil: null,
          playable: false,
          unread: false,
          closeWarning: "",
          viewerCalls: null,
          placing,
          recall: nothing,
        }}
      >
        <HowItEnded />
      </ViewContext>
    </AppContext>
  );
}

/** What it says, line by line. */
function linesOf(leaders: readonly ScoreView[], mostWon: MostWon | null): string[] {
  return linesIn(renderToStaticMarkup(<Ended leaders={leaders} mostWon={mostWon} />));
}

function linesIn(html: string): string[] {
  return html
    .split(/<\/(?:dt|dd|li|p)>/)
    .map((line) =>
      line
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line !== "");
}

const mira = buildScore({ userId: 1, username: "mira", rank: 1, wins: 2, losses: 1, netCents: -9_500 });
const zed = buildScore({ userId: 2, username: "Zed", rank: 2, wins: 1, losses: 1, netCents: 533 });
const opp = buildScore({ userId: 3, username: "opp", rank: 3, wins: 1, losses: 2, netCents: 8_967 });

test("the end has a crown for who was right most often and one for who has won the most, and says how ranks are made", () => {
  const won = { userId: 3, username: "opp", net: 89.67, netCents: 8_967 };
  expect(linesOf([mira, zed, opp], won)).toEqual([
    "Most right 2 questions",
    "mira",
    "Most won +$89.67",
    "opp",
    "1 mira 2 won, 1 lost -$95.00",
    "2 Zed 1 won, 1 lost +$5.33",
    "3 opp 1 won, 2 lost +$89.67",
    "Ranked by questions won.",
  ]);
});

test("the end names all who share the first rank, and gives no crown where nobody was right or has won", () => {
  const shared = [mira, { ...zed, rank: 1, wins: 2 }].map((score) => ({ ...score, tied: true }));
  expect(linesOf(shared, null).slice(0, 2)).toEqual(["Most right 2 questions", "mira and 1 more"]);
  expect(linesOf([{ ...mira, wins: 0 }], null)[0]).toBe("1 mira 0 won, 1 lost -$95.00");
  expect(linesOf([], null)).toEqual(["Nobody won or lost this time."]);
});

test("who watches without an account and sees the end reads who was right and who has won the most, as the big screen says it", async () => {
  const root = createRoot(document.body);
  const lines = () => linesIn(document.body.innerHTML);
  const mostWon = { user_id: 3, username: "opp", net: 89.67, net_cents: 8_967 };
  const answer = { leaders: snakeKeys([mira, zed, opp]), teams: [], evening: { most_won: mostWon } };
  root.render(<Ended key="1" leaders={[]} mostWon={undefined} answer={answer} watching />);
  await untilPasses(() =>
    expect(lines().slice(0, 5)).toEqual([
      "Most right 2 questions",
      "mira",
      "Most won +$89.67",
      "opp",
      "1 mira 2 won, 1 lost -$95.00",
    ]),
  );
  const nobody = { leaders: [], teams: [], evening: null };
  root.render(<Ended key="2" leaders={[]} mostWon={undefined} answer={nobody} watching />);
  await untilPasses(() => expect(lines()).toEqual(["Nobody won or lost this time."]));
  root.unmount();
  await Bun.sleep(0);
});
