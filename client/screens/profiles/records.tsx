import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatChange } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { RecordsView } from "#src/profiles/schemas.ts";
import * as texts from "./profile-texts.ts";

/** The viewer's records, each with when it happened, and the button that shares them. */
export function Records({ records, userId }: { records: RecordsView; userId: number }) {
  const { longestStreak, bestNight, seasons } = records;
  return (
    <Panel title={texts.records}>
      {longestStreak === null && bestNight === null && seasons.length === 0 ? (
        <EmptyState icon="trophy" title={texts.noRecords}>
          <p>{texts.noRecordsHint}</p>
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

type RecordRowProps = { label: ReactNode; value: string; children: ReactNode };

/** What the record is about, when it happened, and the record. */
function RecordRow({ label, value, children }: RecordRowProps) {
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
    <RecordRow label={texts.longestStreak} value={String(length)}>
      {useDays(from, until)}
    </RecordRow>
  );
}

function BestNight({ netCents, wins, losses, at, session }: NonNullable<RecordsView["bestNight"]>) {
  const show =
    session === null ? texts.privateShow : <Link to={`/sessions/${session.slug}`}>{session.name}</Link>;
  const day = <span className="nowrap">{useDays(at, at)}</span>;
  return (
    <RecordRow label={texts.bestNight} value={formatChange(netCents)}>
      {fill(texts.nightWas(texts.wonAndLost(wins, losses)), { show, day })}
    </RecordRow>
  );
}

function SeasonRank({ season, playersCount, netCents, ...place }: RecordsView["seasons"][number]) {
  const last = new Date(Date.parse(season.endsAt) - 1).toISOString();
  return (
    <RecordRow
      label={<Link to={`/seasons/${season.slug}`}>{texts.rankInSeason(season.name)}</Link>}
      value={texts.ofPlayers(formatRank(place), playersCount)}
    >
      {`${formatChange(netCents)}, ${useDays(season.startsAt, last)}`}
    </RecordRow>
  );
}

/** From a day to another, in the reader's time zone. */
function useDays(from: string, until: string): string {
  const zone = useTimeZone();
  return texts.days(formatDate(from, zone), formatDate(until, zone));
}
