import { Form } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import type { DryRunView } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";

/** A dry run that has not ended: how far it is, or why nothing moves. */
export function DryRunProgress({ dryRun }: { dryRun: DryRunView }) {
  const { id, stuck, eventsDone, eventsCount } = dryRun;
  return (
    <section className="panel pad stack" aria-label={texts.progressTitle}>
      <h2>{texts.runOf(dryRun.options.players, dryRun.options.seed)}</h2>
      {stuck ? <Note tone="warn">{texts.stuck}</Note> : null}
      <progress
        className="upload"
        aria-label={texts.progressTitle}
        value={eventsDone}
        max={Math.max(1, eventsCount)}
      />
      <p className="small ink2 num" role="status">
        {progressText(dryRun)}
      </p>
      <Form method="post">
        <CsrfField />
        <input type="hidden" name="run" value={id} />
        <Submit intent="cancel" className="btn">
          {texts.cancel}
        </Submit>
      </Form>
    </section>
  );
}

function progressText({ state, aheadCount, eventsDone, eventsCount, callsCount }: DryRunView): string {
  if (state === "playing") return texts.played(eventsDone, eventsCount, callsCount);
  return aheadCount > 0 ? texts.waitingForTurn(aheadCount) : texts.waitingForStart;
}
