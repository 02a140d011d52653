import type { ReactNode } from "react";
import { Link } from "react-router";
import { toFieldTime } from "#client/base/format/field-time.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import type { SeasonView } from "#src/play/seasons/schemas.ts";
import type { SeasonsRefusal } from "./act-on-seasons.ts";
import { SeasonFields } from "./season-fields.tsx";
import * as texts from "./seasons-texts.ts";

const tones: Record<SeasonView["state"], PillTone> = { planned: "warn", running: "ok", ended: "outline" };

type SeasonRowProps = { season: SeasonView; refusal: SeasonsRefusal | undefined };

/** One season of the list: its dates, and what can be done with it. @param refusal of its form with the dates. */
export function SeasonRow({ season, refusal }: SeasonRowProps) {
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
          <Pill icon={state === "running" ? "clock" : "trophy"} tone={tones[state]}>
            {texts.stateLabel(state)}
          </Pill>
        </p>
        <p className="small ink2 num">{texts.span(timeOf(startsAt), timeOf(endsAt))}</p>
        <div className="row wrap">
          <Change season={season} refusal={refusal} />
          {state === "running" ? (
            <Ask season={season} intent="end" label={texts.end} title={texts.endTitle(name)}>
              {texts.endAbout}
            </Ask>
          ) : null}
          <Ask season={season} intent="remove" label={texts.remove} title={texts.removeTitle(name)} bad>
            {texts.removeAbout}
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
      label={<Named label={texts.change} name={name} />}
      className="btn sm"
      title={texts.changeTitle(name)}
      act={{ label: texts.save, intent: "change" }}
      refusal={refusal}
    >
      <p>{texts.changeAbout}</p>
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

/** A label, and for screen readers which season it is about. */
function Named({ label, name }: { label: string; name: string }) {
  return (
    <>
      {label}
      <span className="vh">: {name}</span>
    </>
  );
}
