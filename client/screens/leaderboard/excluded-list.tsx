import { Form, Link } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { say } from "#src/http/contract.ts";
import type { ExclusionView } from "#src/play/leaderboard/schemas.ts";

/** For hosts: excluded players, each with the reason and a button to rank the player again. */
export function ExcludedList({ exclusions }: { exclusions: readonly ExclusionView[] }) {
  if (exclusions.length === 0) return <p className="body small ink2">Nobody is excluded.</p>;
  return (
    <ul className="list">
      {exclusions.map((exclusion) => (
        <ExcludedPlayer key={exclusion.id} exclusion={exclusion} />
      ))}
    </ul>
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
        <Form method="post" preventScrollReset>
          <CsrfField />
          <input type="hidden" name="exclusion_id" value={id} />
          <Submit className="btn sm" intent="readmit">
            Rank again
          </Submit>
        </Form>
      ) : null}
    </li>
  );
}
