import { Form } from "react-router";
import { EXCLUSION_REASON_MAX } from "#src/leaderboard/contract.ts";
import type { ExclusionView, ScoreView } from "#src/leaderboard/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Choice } from "../ui/choice.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { ExcludedList } from "./excluded-list.tsx";
import type { Managed } from "./manage-leaders.ts";

type ManageBoardProps = {
  /** The session's slug; null: all sessions. */
  slug: string | null;
  /** Who can be chosen. */
  scores: readonly ScoreView[];
  exclusions: readonly ExclusionView[];
  managed: Managed | undefined;
};

/** What admins can do about a table: count it anew, take players out of it, and let them in again. */
export function ManageBoard({ slug, scores, exclusions, managed }: ManageBoardProps) {
  return (
    <div className="stack">
      {managed !== undefined && "refusal" in managed ? <Note tone="bad">{managed.refusal}</Note> : null}
      <Panel title="Scores">
        <Form className="stack body" method="post" preventScrollReset>
          <CsrfField />
          <SessionField slug={slug} />
          <p className="small ink2">
            Counts them anew from the calls and mends what differs. Money is not touched.
          </p>
          <Outcome managed={managed} />
          <Submit className="btn" intent="recompute">
            Recompute
          </Submit>
        </Form>
      </Panel>
      <Panel title="Excluded" aside={countOf(exclusions.length, "player")}>
        <ExcludedList exclusions={exclusions} />
        <div className="body">
          <Exclude slug={slug} scores={scores} />
        </div>
      </Panel>
    </div>
  );
}

function Outcome({ managed }: { managed: Managed | undefined }) {
  if (managed === undefined || "refusal" in managed) return null;
  const { mendedPlayersCount } = managed;
  return (
    <Note tone="ok">
      {mendedPlayersCount === 0 ? "Nothing differed." : `Mended ${countOf(mendedPlayersCount, "player")}.`}
    </Note>
  );
}

function Exclude({ slug, scores }: { slug: string | null; scores: readonly ScoreView[] }) {
  return (
    <Confirm
      label="Exclude a player"
      why={scores.length === 0 ? "Nobody is ranked yet." : null}
      title={slug === null ? "Exclude from every leaderboard?" : "Exclude from this session's leaders?"}
      act={{ label: "Exclude", intent: "exclude", className: "btn bad" }}
    >
      <SessionField slug={slug} />
      <Choice
        label="Player"
        name="user_id"
        options={scores.map(({ userId, username }) => ({ value: String(userId), label: username }))}
      />
      <ExclusionReason />
    </Confirm>
  );
}

/** What is asked for wherever a player is excluded, and what it does. */
export function ExclusionReason() {
  return (
    <>
      <Field label="Reason" name="reason" maxLength={EXCLUSION_REASON_MAX} hint="The player reads it." />
      <p className="small">Calls and money stay as they are. You can rank the player again at any time.</p>
    </>
  );
}

function SessionField({ slug }: { slug: string | null }) {
  return slug === null ? null : <input type="hidden" name="session_id" value={slug} />;
}
