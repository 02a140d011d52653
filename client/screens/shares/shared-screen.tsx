import { Link, useLoaderData } from "react-router";
import { formatChange, formatMoney } from "#client/base/format/money.ts";
import { formatClockMs, formatDate } from "#client/base/format/time-format.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { GameNow } from "#client/front-door/front-door.tsx";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { sharedTexts } from "#client/share/share-texts.ts";
import { PlayAsGuest } from "#client/sign-ins/play-as-guest-form.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { say } from "#src/http/contract.ts";
import { PICTURE_SIZE } from "#src/shares/contract.ts";
import type { SharedAnswer, SharedView } from "#src/shares/schemas.ts";
import type { FrontDoor } from "#src/show/front-door/schemas.ts";

/** What a player shows to everybody who has the link: the picture, the same in words, and the way into the game. */
export function SharedScreen() {
  const { shared, picturePath, door } = useLoaderData<SharedData>();
  const { title, description, username, timeZone, livePath, call, summary, records } = shared;
  return (
    <PageLayout title={title}>
      <p className="ink2">{say`Shared by ${username}`}</p>
      <div className="split">
        <img className="shared-picture" src={picturePath} alt={description} {...PICTURE_SIZE} />
        <section className="panel pad stack" aria-label={title}>
          <dl className="about">
            {call === null ? null : <CallFacts shared={shared} call={call} />}
            {summary === null ? null : <SummaryFacts summary={summary} />}
            {records === null ? null : <RecordsFacts records={records} timeZone={timeZone} />}
            {shared.sessionName === null ? null : <Fact label={words.session}>{shared.sessionName}</Fact>}
          </dl>
          <WayIn livePath={livePath} />
        </section>
      </div>
      {door === null ? null : <GameNow loaded={door} />}
    </PageLayout>
  );
}

/** The way to the session while it is live: into the game by one tap, or to watch first. */
function WayIn({ livePath }: { livePath: string | null }) {
  const signedIn = useViewer() !== null;
  if (livePath === null)
    return signedIn ? (
      <Link className="btn primary wide" to="/">
        Make your own calls
      </Link>
    ) : null;
  return (
    <>
      {signedIn ? null : (
        <PlayAsGuest returnTo={livePath} className="btn you lg wide" label={words.playNow} />
      )}
      <Link className={signedIn ? "btn primary wide" : "btn ghost wide"} to={livePath}>
        Watch it live
      </Link>
    </>
  );
}

type CallProps = { shared: SharedView; call: NonNullable<SharedView["call"]> };

function CallFacts({ shared: { timeZone }, call }: CallProps) {
  const { title, side, label, wagerCents, placedAt, outcome, netCents, refundReason, corrected } = call;
  return (
    <>
      <Fact label={words.question}>{title}</Fact>
      <Fact label="Called">
        <span className="side-mark">
          <SideShape side={side} /> {say`${label}, ${formatMoney(wagerCents)}`}
        </span>
      </Fact>
      <Fact label={words.placedServerTime}>
        <time dateTime={placedAt} className="num">
          {`${formatDate(placedAt, timeZone)} ${formatClockMs(placedAt, timeZone)}`}
        </time>
      </Fact>
      {outcome === null ? null : (
        <>
          <Fact label={words.result}>
            {sharedTexts.resultWords(
              sharedTexts.endLabel(refundReason === "no_loser" ? "right" : outcome),
              corrected,
            )}
          </Fact>
          <Fact label={words.net}>{formatChange(netCents ?? 0)}</Fact>
        </>
      )}
    </>
  );
}

function SummaryFacts({ summary }: { summary: NonNullable<SharedView["summary"]> }) {
  const { rank, tied, playersCount, wins, losses, netCents, best } = summary;
  return (
    <>
      {rank === null ? null : (
        <Fact label="Place">{`${formatRank({ rank, tied })} ${sharedTexts.ofPlayers(playersCount)}`}</Fact>
      )}
      <Fact label={words.net}>{formatChange(netCents)}</Fact>
      <Fact label={words.record}>{`${wins} won, ${losses} lost`}</Fact>
      {best === null ? null : (
        <Fact label="Best call">{say`${formatChange(best.netCents)}: ${best.title} ${best.label}`}</Fact>
      )}
    </>
  );
}

type RecordsProps = { records: NonNullable<SharedView["records"]>; timeZone: string };

function RecordsFacts({ records: { longestStreak, bestNight, seasons }, timeZone }: RecordsProps) {
  const day = (at: string) => formatDate(at, timeZone);
  return (
    <>
      {longestStreak === null ? null : (
        <Fact label={words.rightInARow}>
          {sharedTexts.during(longestStreak.length, day(longestStreak.from), day(longestStreak.until))}
        </Fact>
      )}
      {bestNight === null ? null : (
        <Fact label="Best night">
          {[formatChange(bestNight.netCents), bestNight.session?.name, day(bestNight.at)]
            .filter((part) => part !== undefined)
            .join(", ")}
        </Fact>
      )}
      {seasons.map(({ season, playersCount, ...place }) => (
        <Fact key={season.id} label={season.name}>
          {`${formatRank(place)} ${sharedTexts.ofPlayers(playersCount)}`}
        </Fact>
      ))}
    </>
  );
}

type SharedData = SharedAnswer & {
  picturePath: string;
  /** What a signed-out visitor sees of the game; null for everybody else, and where the shared session is live. */
  door: FrontDoor | null;
};

/** What a link shows. Unknown, expired and revoked ones are not found. */
export async function loadShared({ api, context, params }: LoaderArgs): Promise<SharedData> {
  const path = `/api/v1/shared/${encodeURIComponent(params["token"] ?? "")}` as const;
  const { shared } = await api.get(path);
  const isStranger = context.get(pageContext).viewer === null && shared.livePath === null;
  const door = isStranger ? (await api.get("/api/v1/front_door")).frontDoor : null;
  return { shared, picturePath: `${path}/picture.png`, door };
}
