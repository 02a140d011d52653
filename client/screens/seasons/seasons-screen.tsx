import { Form, Link, useActionData, useLoaderData } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { CURRENT_SEASON } from "#db/lists/seasons.ts";
import type { SeasonsAnswer } from "#src/play/seasons/schemas.ts";
import type { SeasonsRefusal } from "./act-on-seasons.ts";
import { SeasonFields } from "./season-fields.tsx";
import { SeasonRow } from "./season-row.tsx";
import * as texts from "./seasons-texts.ts";

/** For admins: the seasons, what can be done with each, and the form that names one. */
export function SeasonsScreen() {
  const { seasons } = useLoaderData<SeasonsAnswer>();
  const refusal = useActionData<SeasonsRefusal>();
  const isAdding = refusal?.intent === "add";
  return (
    <PageLayout
      title={frame.seasons}
      actions={
        <Link className="btn" to={`/seasons/${CURRENT_SEASON}`}>
          {texts.toTable}
        </Link>
      }
    >
      {refusal === undefined || isAdding ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {refusal === undefined ? <DoneNote texts={texts.done} /> : null}
      <div className="split">
        <Panel title={texts.list} aside={seasons.length}>
          {seasons.length === 0 ? (
            <EmptyState icon="trophy" title={texts.none}>
              <p>{texts.noneAbout}</p>
            </EmptyState>
          ) : (
            <ul className="list">
              {seasons.toReversed().map((season) => (
                <SeasonRow
                  key={season.id}
                  season={season}
                  refusal={
                    refusal?.id === String(season.id) && refusal.intent === "change" ? refusal : undefined
                  }
                />
              ))}
            </ul>
          )}
        </Panel>
        <AddSeason key={seasons.length} refusal={isAdding ? refusal : undefined} />
      </div>
      <p className="small ink2">{texts.about}</p>
    </PageLayout>
  );
}

const empty = { name: "", startsAt: "", endsAt: "" };

function AddSeason({ refusal }: { refusal: SeasonsRefusal | undefined }) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={texts.add}>
      <Form className="body stack" method="post" action="/admin/seasons" ref={form}>
        <CsrfField />
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <SeasonFields id="new" valuesIn={() => refusal ?? empty} errors={refusal?.errors ?? {}} />
        <Submit intent="add">{texts.add}</Submit>
      </Form>
    </Panel>
  );
}
