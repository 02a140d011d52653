import type { ReactNode } from "react";
import { data, Link, useActionData, useLoaderData } from "react-router";
import { momentIn, toFieldTime } from "#client/base/format/field-time.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { CURRENT_SEASON, SEASON_NAME_LENGTH_MAX, type SeasonState } from "#db/lists/seasons.ts";
import { labelsOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import type { SeasonsAnswer, SeasonView } from "#src/play/seasons/schemas.ts";

const add = "Name a season";
const stateLabel = labelsOf<SeasonState>({ planned: "Planned", running: "Running", ended: "Ended" });
const done = {
  added: "The season is named.",
  changed: "The season is changed.",
  ended: "The season has ended. Its podium is on its page.",
  removed: "The season is deleted.",
} as const;

const tones: Record<SeasonView["state"], PillTone> = { planned: "warn", running: "ok", ended: "outline" };

const fields = { intent: "text", id: "text", name: "text", startsAt: "text", endsAt: "text" } as const;

const doneBy: Readonly<Record<string, string>> = {
  add: "added",
  change: "changed",
  end: "ended",
  remove: "removed",
};

/** For admins: the seasons, what can be done with each, and the form that names one. */
export function SeasonsScreen() {
  const { seasons } = useLoaderData<SeasonsAnswer>();
  const refusal = useActionData<SeasonsRefusal>();
  const isAdding = refusal?.intent === "add";
  return (
    <PageLayout
      title={words.seasons}
      actions={<ButtonLink to={`/seasons/${CURRENT_SEASON}`}>To the table of this season</ButtonLink>}
    >
      {refusal === undefined || isAdding ? null : <Note tone="bad">{refusal.refusal}</Note>}
      {refusal === undefined ? <DoneNote texts={done} /> : null}
      <div className="split">
        <Panel title="All seasons" aside={seasons.length}>
          {seasons.length === 0 ? (
            <EmptyState icon="trophy" title="No season yet">
              <p>Name one, and the leaderboard has a table for it. It ends with a podium to share.</p>
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
      <p className="small ink2">
        What is decided from the start until the end counts for a season, also where it was named later.
        Seasons do not overlap.
      </p>
    </PageLayout>
  );
}

const empty = { name: "", startsAt: "", endsAt: "" };

function AddSeason({ refusal }: { refusal: SeasonsRefusal | undefined }) {
  return (
    <Panel title={add}>
      <PostForm className="body stack" action="/admin/seasons" refused={refusal}>
        <Refusal refused={refusal} />
        <SeasonFields id="new" valuesIn={() => refusal ?? empty} errors={refusal?.errors ?? {}} />
        <Submit intent="add">{add}</Submit>
      </PostForm>
    </Panel>
  );
}

type SeasonRowProps = { season: SeasonView; refusal: SeasonsRefusal | undefined };

/** One season of the list: its dates, and what can be done with it. @param refusal of its form with the dates. */
function SeasonRow({ season, refusal }: SeasonRowProps) {
  const { slug, name, state, startsAt, endsAt } = season;
  const zone = useTimeZone();
  // With the year: seasons are long.
  const timeOf = (at: string) => toFieldTime(at, zone).replace("T", " ");
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <Link className="strong wrap-anywhere" to={`/seasons/${slug}`}>
            {name}
          </Link>
          <Pill
            icon={state === "running" ? "clock" : "trophy"}
            tone={tones[state]}
            text={stateLabel(state)}
          />
        </p>
        <p className="small ink2 num">{`${timeOf(startsAt)} until ${timeOf(endsAt)}`}</p>
        <div className="row wrap">
          <Change season={season} refusal={refusal} />
          {state === "running" ? (
            <Ask season={season} intent="end" label="End now" title={say`End ${name} now?`}>
              What is decided from now on does not count for it. Its page shows the podium to everybody who
              has the link.
            </Ask>
          ) : null}
          <Ask season={season} intent="remove" label={words.deleteIt} title={say`Delete ${name}?`} bad>
            Its table and its podium are gone. Results and wallets stay as they are.
          </Ask>
        </div>
      </div>
    </li>
  );
}

function Change({ season, refusal }: SeasonRowProps) {
  const { id, name, startsAt, endsAt } = season;
  const saved = (zone: string) => ({
    name,
    startsAt: toFieldTime(startsAt, zone),
    endsAt: toFieldTime(endsAt, zone),
  });
  return (
    <Confirm
      label={<Named label={words.change} name={name} />}
      className="btn sm"
      title={say`Change ${name}`}
      act={{ label: words.save, intent: "change" }}
      refusal={refusal}
    >
      <p>With other dates, other results count. Its address stays.</p>
      {season.state === "ended" ? (
        <p>Everybody can see its podium now. With an end that is still to come, it is gone until then.</p>
      ) : null}
      <input type="hidden" name="id" value={id} />
      <SeasonFields
        id={`season-${id}`}
        valuesIn={refusal === undefined ? saved : () => refusal}
        errors={refusal?.errors ?? {}}
      />
    </Confirm>
  );
}

type AskProps = {
  season: SeasonView;
  intent: string;
  label: string;
  title: string;
  bad?: true;
  children: ReactNode;
};

/** A button that asks before it acts. */
function Ask({ season: { id, name }, intent, label, title, bad, children }: AskProps) {
  const className = bad === true ? "btn bad" : "btn primary";
  return (
    <Confirm
      label={<Named label={label} name={name} />}
      className={bad === true ? "btn sm bad" : "btn sm"}
      title={title}
      act={{ label, intent, className }}
    >
      <p>{children}</p>
      <input type="hidden" name="id" value={id} />
    </Confirm>
  );
}

type SeasonFieldsProps = {
  /** Makes the ids of the fields, which the page has several times. */
  id: string;
  /** The values as they are typed in the zone of the reader. */
  valuesIn: (zone: string) => { name: string; startsAt: string; endsAt: string };
  errors: FieldErrors;
};

function SeasonFields({ id, valuesIn, errors }: SeasonFieldsProps) {
  const zone = useTimeZone();
  const bind = boundTo({ ...valuesIn(zone), errors });
  // The browser's time zone may differ from the server's guess; the key then resets the field.
  const dates = { zone, hint: `In your time zone: ${zone}.` };
  return (
    <>
      <input type="hidden" name="time_zone" value={zone} />
      <Field label={words.name} id={`${id}-name`} maxLength={SEASON_NAME_LENGTH_MAX} {...bind("name")} />
      <MomentField key={`from ${zone}`} label="From" id={`${id}-starts`} {...dates} {...bind("startsAt")} />
      <MomentField key={`until ${zone}`} label="Until" id={`${id}-ends`} {...dates} {...bind("endsAt")} />
    </>
  );
}

export async function loadSeasons({ api }: LoaderArgs): Promise<SeasonsAnswer> {
  return api.get("/api/v1/seasons");
}

type SeasonsRefusal = RefusedForm<typeof fields>;

export const actOnSeasons = formAction(fields, async ({ intent, id, name }, { api, form }) => {
  const season = { name, startsAt: momentIn(form, "starts_at"), endsAt: momentIn(form, "ends_at") };
  const path = `/api/v1/seasons/${encodeURIComponent(id)}` as const;
  if (intent === "add") await api.post("/api/v1/seasons", { season });
  else if (intent === "change") await api.patch(path, { season });
  else if (intent === "end") await api.put(`${path}/end`);
  else if (intent === "remove") await api.delete(path);
  else throw data(null, { status: 400 });
  return `/admin/seasons?done=${doneBy[intent] ?? ""}`;
});
