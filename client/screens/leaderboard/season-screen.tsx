import type { MouseEvent } from "react";
import { Link, redirect, useLoaderData } from "react-router";
import { type Api, nullAt } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, usePage, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { List } from "#client/ui/list.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { CURRENT_SEASON } from "#db/lists/seasons.ts";
import { say } from "#src/http/contract.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { PODIUM_RANKS } from "#src/play/seasons/contract.ts";
import type { PodiumPlace, SeasonView, ShownSeason } from "#src/play/seasons/schemas.ts";
import { LeaderboardView, Scope } from "./leaderboard-view.tsx";
import { fetchPage, type LeaderboardData } from "./load-leaders.ts";

/** The texts of a season's page. */

const players = (count: number) => countOf(count, "player");
const stateLabels = { planned: "Planned", running: "Running", ended: "Ended" } as const;

/** A season: its table while it runs, its podium when it has ended. Without an account a viewer sees the podium alone. */
export function SeasonScreen() {
  const { season, members } = useLoaderData<SeasonData>();
  const guest = useViewer()?.guest === true;
  const tab = season === null || season.state === "running" ? "season" : null;
  return (
    <PageLayout title={season?.name ?? "Season"} actions={<Scope shown={tab} />}>
      {season === null ? <NoSeason /> : <Season season={season} isMember={members !== null} />}
      {members === null ? (
        <p className="small">
          {guest ? (
            <Link to="/guest">Create an account to see the table of all players.</Link>
          ) : (
            <Link to={`/users/sign_in?return_to=/seasons/${season?.slug ?? CURRENT_SEASON}`}>
              Sign in to see the table of all players.
            </Link>
          )}
        </p>
      ) : (
        <Members season={season} members={members} />
      )}
    </PageLayout>
  );
}

function Season({ season, isMember }: { season: ShownSeason; isMember: boolean }) {
  const { state, podium, playersCount, url } = season;
  return (
    <>
      <section className="panel pad row wrap" aria-label={season.name}>
        <span className="names">
          <b>{whatIsLeft(season)}</b>
          <span className="small ink2 num">{`${useSpan(season)}, ${players(playersCount)}`}</span>
          <Corrected at={season.correctedAt ?? null} />
        </span>
        {/* Without JavaScript it leads to this page, whose address can be copied. */}
        <a className="btn push" href={url} onClick={(event) => sendSeason(event, season)}>
          Share
        </a>
      </section>
      {isMember ? null : <PublicPodium state={state} podium={podium} />}
    </>
  );
}

/** A correction may have changed who stands on a podium that everybody has seen. */
function Corrected({ at }: { at: string | null }) {
  const zone = useTimeZone();
  if (at === null) return null;
  return (
    <span className="small">{`Corrected on ${formatDate(at, zone)}: a result was put right after the end.`}</span>
  );
}

/** What strangers see of a season: its podium when it has ended. */
function PublicPodium({ state, podium }: Pick<ShownSeason, "state" | "podium">) {
  return state === "ended" ? (
    <Podium podium={podium} />
  ) : (
    <p className="ink2">When it has ended, its podium is here for everybody.</p>
  );
}

function sendSeason(event: MouseEvent, { name: title, url, imageUrl }: ShownSeason): void {
  event.preventDefault();
  import("#client/share/send-share.ts").then(
    ({ sendLink }) => sendLink({ title, url, imageUrl }, url),
    () => globalThis.location.assign(url),
  );
}

/** The days of a season in the reader's time zone. Its end is the first moment after it. */
function useSpan({ startsAt, endsAt }: Pick<SeasonView, "startsAt" | "endsAt">): string {
  const zone = useTimeZone();
  const last = new Date(Date.parse(endsAt) - 1).toISOString();
  return `${formatDate(startsAt, zone)} to ${formatDate(last, zone)}`;
}

function Podium({ podium }: { podium: readonly PodiumPlace[] }) {
  const viewer = useViewer();
  return (
    <section className="panel" aria-label="Podium">
      {podium.length === 0 ? <p className="body ink2">Nobody is on the podium that everybody sees.</p> : null}
      <ol className="podium-three">
        {podium.map((place) => (
          <li key={place.username} className={place.username === viewer?.username ? "me" : undefined}>
            <Avatar name={place.username} avatar={place.avatar} size="lg" />
            <b className="rank num">{formatRank(place)}</b>
            <b className="clip" translate="no">
              {place.username}
            </b>
            <span className="small">{`${place.wins} won, ${place.losses} lost`}</span>
            <span className="small num" translate="no">
              {formatChange(place.netCents)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoSeason() {
  return (
    <EmptyPanel icon="trophy" title="No season is running">
      <p>When one begins, its table is here, and its podium at the end.</p>
    </EmptyPanel>
  );
}

type MembersProps = { season: ShownSeason | null; members: NonNullable<SeasonData["members"]> };

/**
 * For those with an account: the podium of all players, their table, which the messages of the active session update, and the other
 * seasons.
 */
function Members({ season, members }: MembersProps) {
  const sessionId = usePage().activeSession?.id ?? null;
  return (
    <WhenLoaded data={members}>
      {({ leaderboard, seasons }) => (
        <>
          {leaderboard !== null && season?.state === "ended" ? (
            <PodiumOfAll scores={leaderboard.leaderboard.scores} />
          ) : null}
          {leaderboard === null ? null : (
            <LeaderboardView slug={null} sessionId={sessionId} data={leaderboard}>
              {({ meta }) => (meta === null ? null : <Pagination meta={meta} />)}
            </LeaderboardView>
          )}
          {seasons.length === 0 ? null : <Seasons seasons={seasons} />}
        </>
      )}
    </WhenLoaded>
  );
}

/** The podium above the first page of the table. */
function PodiumOfAll({ scores }: { scores: readonly ScoreView[] }) {
  const podium = scores.filter(({ rank }) => rank <= PODIUM_RANKS);
  return podium.length === 0 ? null : <Podium podium={podium} />;
}

const tones: Record<SeasonView["state"], PillTone> = { planned: "warn", running: "ok", ended: "outline" };

function Seasons({ seasons }: { seasons: readonly SeasonView[] }) {
  return (
    <Panel title={words.seasons}>
      <List items={seasons.toReversed()} row={(season) => <OtherSeason key={season.id} season={season} />} />
    </Panel>
  );
}

function OtherSeason({ season }: { season: SeasonView }) {
  const { slug, name, state } = season;
  return (
    <li className="dense">
      <span className="grow">
        <Link className="strong" to={`/seasons/${slug}`}>
          {name}
        </Link>
        <span className="tiny ink2 num">{useSpan(season)}</span>
      </span>
      <Pill icon={state === "running" ? "clock" : "trophy"} tone={tones[state]} text={stateLabels[state]} />
    </li>
  );
}

type MembersData = { leaderboard: LeaderboardData | null; seasons: readonly SeasonView[] };

type SeasonData = {
  /** Null at the address of the current season, while none runs. */
  season: ShownSeason | null;
  /** Its table, and all seasons; null for viewers without an account. */
  members: Deferred<MembersData> | null;
  /** What the preview of its link says. */
  shared?: { title: string; description: string; imageUrl: string };
};

/** A season's page. `current` leads to the season that runs, so that the address that is copied stays that of this season. */
export async function loadSeason(args: LoaderArgs): Promise<SeasonData> {
  const { api, context, params, url } = args;
  const slug = params["slug"] ?? CURRENT_SEASON;
  const season = await findSeason(api, slug);
  if (season !== null && slug === CURRENT_SEASON) throw redirect(`/seasons/${season.slug}`);
  const page = pageIn(url.searchParams);
  const isMember = context.get(pageContext).viewer?.guest === false;
  const members = isMember
    ? await defer<MembersData>(args, async () => {
        const [leaderboard, { seasons }] = await Promise.all([
          season === null ? null : fetchPage(api, { sessionId: null, seasonId: season.slug, page }),
          api.get("/api/v1/seasons"),
        ]);
        return {
          leaderboard: leaderboard === null ? null : { leaderboard, exclusions: null, teams: null },
          seasons,
        };
      })
    : null;
  if (season === null) return { season, members };
  const { name: title, state, podium, playersCount, imageUrl } = season;
  return { season, members, shared: { title, description: describe(state, podium, playersCount), imageUrl } };
}

async function findSeason(api: Api, slug: string): Promise<ShownSeason | null> {
  const asked = api.get(`/api/v1/seasons/${encodeURIComponent(slug)}`).then(({ season }) => season);
  return slug === CURRENT_SEASON ? asked.catch(nullAt(404)) : asked;
}

function whatIsLeft({ state, daysLeft }: Pick<SeasonView, "state"> & { daysLeft: number }): string {
  if (state === "planned") return "It has not begun yet.";
  if (state === "ended") return "It is over.";
  return daysLeft <= 1 ? "The last day" : `${countOf(daysLeft, "day")} left`;
}

/** "1 ana, 2 ben, 3 cleo. 12 players were in it." for the preview of its link. */
function describe(state: SeasonView["state"], first: readonly PodiumPlace[], playersCount: number): string {
  if (state !== "ended") return `${players(playersCount)} so far. Its podium is here when it has ended.`;
  const names = first.map((place) => say`${formatRank(place)} ${place.username}`).join(", ");
  return `${names === "" ? "" : `${names}. `}${players(playersCount)} played.`;
}
