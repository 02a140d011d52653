import { Link, data } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { chooseTeamOf } from "#client/teams/load-teams.ts";
import { CHOOSE_TEAM } from "#client/teams/team-list.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { formAction } from "#client/ui/forms/form-action.ts";
import { PostButton, PostForm } from "#client/ui/forms/post-form.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { say } from "#src/http/contract.ts";
import { EXCLUSION_REASON_MAX } from "#src/play/leaderboard/contract.ts";
import type { ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";

type ManageBoardProps = {
  /** The session's slug; null: all sessions. */
  slug: string | null;
  scores: readonly ScoreView[];
  exclusions: readonly ExclusionView[];
  result: ManageResult | undefined;
};

/** For hosts: exclude players, and rank them again; for admins also: recompute the scores. */
export function ManageLeaderboard({ slug, scores, exclusions, result }: ManageBoardProps) {
  return (
    <div className="stack">
      {result !== undefined && "refusal" in result ? <Note tone="bad">{result.refusal}</Note> : null}
      {useIsAdmin() ? (
        <>
          <Recompute slug={slug} result={result} />
          <Seasons />
        </>
      ) : null}
      <Panel title={words.excluded} aside={countOf(exclusions.length, "player")}>
        <ExcludedList exclusions={exclusions} />
        <div className="body">
          <Exclude slug={slug} scores={scores} />
        </div>
      </Panel>
    </div>
  );
}

function Recompute({ slug, result }: Pick<ManageBoardProps, "slug" | "result">) {
  return (
    <Panel title="Scores">
      <PostForm className="stack body" preventScrollReset>
        <SessionField slug={slug} />
        <p className="small ink2">
          Counts them again from the calls and corrects what differs. Money is not touched.
        </p>
        <Outcome result={result} />
        <Submit className="btn" intent="recompute">
          Recompute
        </Submit>
      </PostForm>
    </Panel>
  );
}

function Seasons() {
  return (
    <Panel title={words.seasons} body="stack">
      <p className="small ink2">A season has a table of its own, and a podium at its end.</p>
      <p>
        <ButtonLink to="/admin/seasons">Name, change or end a season</ButtonLink>
      </p>
    </Panel>
  );
}

function Outcome({ result }: { result: ManageResult | undefined }) {
  if (result === undefined || "refusal" in result) return null;
  const { mendedPlayersCount } = result;
  return (
    <Note tone="ok">
      {mendedPlayersCount === 0 ? "Nothing differed." : `Corrected ${countOf(mendedPlayersCount, "player")}.`}
    </Note>
  );
}

function Exclude({ slug, scores }: { slug: string | null; scores: readonly ScoreView[] }) {
  return (
    <Confirm
      label="Exclude a player"
      disabledReason={scores.length === 0 ? "Nobody is ranked yet." : null}
      title={slug === null ? "Exclude from every leaderboard?" : "Exclude from this session's leaders?"}
      act={{ label: words.exclude, intent: "exclude", className: "btn bad" }}
    >
      <SessionField slug={slug} />
      <Choice
        label={words.player}
        name="user_id"
        options={scores.map(({ userId, username }) => ({ value: String(userId), label: username }))}
      />
      <ExclusionReason />
    </Confirm>
  );
}

export function ExclusionReason() {
  return (
    <>
      <Field
        label={words.reason}
        name="reason"
        maxLength={EXCLUSION_REASON_MAX}
        hint={words.thePlayerReadsIt}
      />
      <p className="small">Calls and money stay as they are. You can rank the player again at any time.</p>
    </>
  );
}

function SessionField({ slug }: { slug: string | null }) {
  return slug === null ? null : <input type="hidden" name="session_id" value={slug} />;
}

/** The result of a form that keeps the page open: how many players' scores were repaired, or the refusal. */
export type ManageResult = { mendedPlayersCount: number } | Refused;

const fields = {
  intent: "text",
  sessionId: "optional",
  userId: "number",
  reason: "text",
  exclusionId: "text",
} as const;

/** Handles an admin's form by its `intent`: recomputes the scores, excludes a player, or ranks one again; and the choice of a team. */
export const manageLeaders = formAction(fields, async (sent, { api, form, params, url }) => {
  const { intent, sessionId = null, userId, reason, exclusionId } = sent;
  switch (intent) {
    case "recompute":
      return (await api.put("/api/v1/scores/recompute", undefined, { query: { sessionId } })).recomputation;
    case "exclude":
      await api.post("/api/v1/scores/exclusions", { exclusion: { userId, sessionId, reason } });
      break;
    case "readmit":
      await api.delete(`/api/v1/scores/exclusions/${encodeURIComponent(exclusionId)}`);
      break;
    case CHOOSE_TEAM:
      await chooseTeamOf(api, params["slug"], form);
      break;
    default:
      throw data(null, { status: 400 });
  }
  return url.pathname + url.search;
});

/** For hosts: excluded players, each with the reason and a button to rank the player again. */
export function ExcludedList({ exclusions }: { exclusions: readonly ExclusionView[] }) {
  if (exclusions.length === 0) return <p className="body small ink2">Nobody is excluded.</p>;
  return (
    <List
      items={exclusions}
      row={(exclusion) => <ExcludedPlayer key={exclusion.id} exclusion={exclusion} />}
    />
  );
}

function ExcludedPlayer({ exclusion }: { exclusion: ExclusionView }) {
  const { id, userId, username, reason, sessionName, excludedBy } = exclusion;
  const isMine = useIsAdmin() || sessionName !== null;
  return (
    <li>
      <span className="grow">
        <Link className="strong clip" to={`/leaderboard/${userId}`}>
          {username}
        </Link>
        <span className="small ink2 wrap-anywhere">{reason}</span>
        <span className="tiny muted">
          {sessionName === null
            ? `From every leaderboard, by ${excludedBy}`
            : say`From ${sessionName}, by ${excludedBy}`}
        </span>
      </span>
      {isMine ? (
        <PostButton intent="readmit" fields={{ exclusion_id: id }} form={{ preventScrollReset: true }}>
          Rank again
        </PostButton>
      ) : null}
    </li>
  );
}
