import type { ReactNode } from "react";
import {
  Link,
  redirectDocument,
  useActionData,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatChange, formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { SessionRow } from "#client/sessions/session-row.tsx";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { inUser } from "#client/ui/forms/read-form.ts";
import { KeyValue } from "#client/ui/key-value.tsx";
import { List } from "#client/ui/list.tsx";
import { HOSTED_ANCHOR } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { SiteLinks } from "#client/ui/site-links.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { say } from "#src/http/contract.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileAnswer, RecordsView } from "#src/profiles/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** The viewer's profile, with links to change it. */
export function ProfileScreen() {
  const { user, records, hosted } = useLoaderData<OwnProfileData>();
  return (
    <PageLayout title="Profile" actions={<Logout />}>
      {hosted === null ? null : (
        <WhenLoaded data={hosted}>{(sessions) => <Hosted sessions={sessions} />}</WhenLoaded>
      )}
      <div className="split">
        <section className="panel pad row wrap who-am-i" aria-label="You">
          <Avatar name={user.username} avatar={useNewestViewer()?.avatar ?? null} size="xl" />
          <div className="grow stack">
            <dl className="about">
              <Fact label={words.username}>{user.username}</Fact>
              <Fact label={words.email}>{user.email ?? words.none}</Fact>
              <Fact label={words.phone}>{user.phone ?? words.none}</Fact>
              <Fact label="Here since">
                <time dateTime={user.createdAt}>{formatDate(user.createdAt, useTimeZone())}</time>
              </Fact>
              <Fact label="Role">{user.roles.length === 0 ? words.player : user.roles.join(", ")}</Fact>
            </dl>
            <div className="row wrap">
              <ButtonLink to="/profile/details">Edit details</ButtonLink>
              <ButtonLink to="/profile/avatar">Change picture</ButtonLink>
            </div>
          </div>
        </section>
        <Panel title={words.wallet} aside={<Link to="/profile/wallet">Open wallet</Link>}>
          <dl className="row wrap body balance-parts">
            <KeyValue label={words.balance}>{formatMoney(user.wallet.balanceCents)}</KeyValue>
            <KeyValue label="Calls placed">{user.wallet.metrics.callsPlaced}</KeyValue>
          </dl>
        </Panel>
      </div>
      <p className="row wrap small">
        <Link to="/shares">{words.sharedLinks}</Link>
        <SiteLinks />
      </p>
      <div className="split">
        <WhenLoaded data={records}>{(found) => <Records records={found} userId={user.id} />}</WhenLoaded>
      </div>
    </PageLayout>
  );
}

/** The way to each session that the viewer hosts, the live and the newest first. */
function Hosted({ sessions }: { sessions: readonly SessionView[] }) {
  return (
    <div id={HOSTED_ANCHOR}>
      <Panel title={words.sessionsYouHost}>
        <List
          items={sessions}
          row={(session) => <SessionRow key={session.id} session={session} admin={false} />}
        />
      </Panel>
    </div>
  );
}

function Logout() {
  return (
    <PostForm action="/users/sign_out">
      <button className="btn" type="submit">
        Logout
      </button>
    </PostForm>
  );
}

/** The viewer's records, each with when it happened, and the button that shares them. */
function Records({ records, userId }: { records: RecordsView; userId: number }) {
  const { longestStreak, bestNight, seasons } = records;
  return (
    <Panel title="Records">
      {longestStreak === null && bestNight === null && seasons.length === 0 ? (
        <EmptyState icon="trophy" title="No record yet">
          <p>
            Your first right call makes one: your longest streak, your best night and your rank in each season
            are kept here.
          </p>
        </EmptyState>
      ) : (
        <ul className="list">
          {longestStreak === null ? null : <LongestStreak {...longestStreak} />}
          {bestNight === null ? null : <BestNight {...bestNight} />}
          {seasons.map((each) => (
            <SeasonRank key={each.season.id} {...each} />
          ))}
        </ul>
      )}
      {longestStreak === null ? null : (
        <div className="body">
          <ShareButton kind="records" targetId={userId} className="btn">
            {shareButtonText("records")}
          </ShareButton>
        </div>
      )}
    </Panel>
  );
}

function RecordRow({ label, value, children }: { label: ReactNode; value: string; children: ReactNode }) {
  return (
    <li>
      <span className="grow">
        <b>{label}</b>
        <span className="small ink2">{children}</span>
      </span>
      <b className="num push" translate="no">
        {value}
      </b>
    </li>
  );
}

function LongestStreak({ length, from, until }: NonNullable<RecordsView["longestStreak"]>) {
  return (
    <RecordRow label={words.rightInARow} value={String(length)}>
      {useDays(from, until)}
    </RecordRow>
  );
}

function BestNight({ netCents, wins, losses, at, session }: NonNullable<RecordsView["bestNight"]>) {
  const show =
    session === null ? "A private show" : <Link to={`/sessions/${session.slug}`}>{session.name}</Link>;
  const day = <span className="nowrap">{useDays(at, at)}</span>;
  return (
    <RecordRow label="Best night" value={formatChange(netCents)}>
      {fill(`{show}, ${`${wins} won, ${losses} lost`}, {day}`, { show, day })}
    </RecordRow>
  );
}

function SeasonRank({ season, playersCount, netCents, ...place }: RecordsView["seasons"][number]) {
  const last = new Date(Date.parse(season.endsAt) - 1).toISOString();
  return (
    <RecordRow
      label={<Link to={`/seasons/${season.slug}`}>{say`Rank in ${season.name}`}</Link>}
      value={`${formatRank(place)} of ${playersCount}`}
    >
      {`${formatChange(netCents)}, ${useDays(season.startsAt, last)}`}
    </RecordRow>
  );
}

/** From a day to another, in the reader's time zone. */
function useDays(from: string, until: string): string {
  const zone = useTimeZone();
  const [first, last] = [formatDate(from, zone), formatDate(until, zone)];
  return first === last ? first : `${first} to ${last}`;
}

export async function loadProfile({ api }: LoaderArgs): Promise<ProfileAnswer> {
  return api.get("/api/v1/users/me");
}

type OwnProfileData = ProfileAnswer & {
  records: Deferred<RecordsView>;
  /** The sessions that the viewer hosts; null for none. */
  hosted: Deferred<SessionView[]> | null;
};

/** The same with the viewer's records and hosted sessions. */
export async function loadOwnProfile(args: LoaderArgs): Promise<OwnProfileData> {
  const { api } = args;
  const { user } = await loadProfile(args);
  const records = await defer(args, async () => {
    const path = `/api/v1/users/${encodeURIComponent(user.id)}/records` as const;
    return (await api.get(path)).records;
  });
  const hosts = args.context.get(pageContext).viewer?.hostOf.length ?? 0;
  const query = { hosted: true, perPage: 100 };
  const hosted =
    hosts === 0
      ? null
      : await defer(args, async () => (await api.get("/api/v1/sessions", { query })).sessions);
  return { user, records, hosted };
}

/** The form of the viewer's username and phone number. */
export function DetailsScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<RefusedForm<typeof detailFields>>();
  const busy = useNavigation().state !== "idle";
  const bind = boundTo(refused, user, inUser);
  const [search] = useSearchParams();
  return (
    <PageLayout title={words.details}>
      <Panel title="About you">
        <PostForm className="body stack narrow" action="/profile/details">
          {search.has("saved") && refused === undefined ? <Note tone="ok">Saved.</Note> : null}
          <Refusal refused={refused} unless={Object.keys(refused?.errors ?? {})} />
          <Field
            label={words.username}
            autoComplete="nickname"
            maxLength={USERNAME_LENGTH_MAX}
            hint={words.usernameHint}
            {...bind("username")}
          />
          <Field
            label={words.phone}
            type="tel"
            autoComplete="tel"
            optional
            hint={words.phoneHint}
            {...bind("phone")}
          />
          <button className="btn primary" type="submit" aria-disabled={busy}>
            Save details
          </button>
        </PostForm>
      </Panel>
    </PageLayout>
  );
}

const detailFields = { username: "text", phone: "text" } as const;

/** Saves the username and the phone number. A refusal is shown in the form. */
export const sendDetails = formAction(
  detailFields,
  async (user, { api, context }) => {
    await api.patch(`/api/v1/users/${context.get(pageContext).viewer?.id}`, { user });
    // A new document: the frame shows the name too.
    return redirectDocument("/profile/details?saved", SEE_OTHER);
  },
  inUser,
);
