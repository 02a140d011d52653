import { Link, useActionData, useLoaderData } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import type { BlueprintData } from "#client/blueprints/load-blueprint.ts";
import { lengthText } from "#client/blueprints/plan-times.ts";
import { SessionRow } from "#client/sessions/session-row.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { ActRefused } from "./act-on-blueprint.ts";
import { EventsList } from "./events-list.tsx";
import { GenerateForm } from "./generate-form.tsx";
import { Timeline } from "./timeline.tsx";

/** A blueprint: its plan, its events and the sessions made from it. */
export function BlueprintScreen() {
  const { blueprint } = useLoaderData<BlueprintData>();
  const { id, name, description, blueprintEvents } = blueprint;
  const refused = useActionData<ActRefused>();
  return (
    <PageLayout
      title={name}
      actions={
        <div className="row">
          <Link className="btn" to={`/blueprints/${id}/edit`}>
            {texts.edit}
          </Link>
          <Link className="btn" to={`/blueprints/${id}/dry_run`}>
            {texts.dryRun}
          </Link>
          <a className="btn primary only-narrow" href="#generate">
            {texts.generateSession}
          </a>
        </div>
      }
    >
      {refused?.intent === "delete" ? <NotDeleted refused={refused} /> : null}
      {description === "" ? null : <p className="ink2">{description}</p>}
      {blueprintEvents.length === 0 ? null : (
        <Timeline events={blueprintEvents.map((event) => ({ ...event, look: "" }))} />
      )}
      <div className="split">
        <Events blueprint={blueprint} />
        <aside className="stack wide">
          <GenerateForm blueprint={blueprint} refused={refused} />
          <BlueprintFacts blueprint={blueprint} />
          <Sessions />
          <Deletion blueprint={blueprint} />
        </aside>
      </div>
    </PageLayout>
  );
}

/** The API's sentence, and the session that prevents the deletion. */
function NotDeleted({ refused: { errors, refusal } }: { refused: ActRefused }) {
  const sentences = new Set([...(errors["base"] ?? []), refusal]);
  return <Note tone="bad">{[...sentences].join(". ")}</Note>;
}

function Events({ blueprint: { id, blueprintEvents } }: { blueprint: BlueprintView }) {
  if (blueprintEvents.length > 0) return <EventsList events={blueprintEvents} />;
  return (
    <section className="panel">
      <EmptyState icon="slip" title={texts.noActionsTitle}>
        <p>{texts.noActionsHint}</p>
        <Link className="btn primary" to={`/blueprints/${id}/edit?panel=paste`}>
          {texts.addActions}
        </Link>
      </EmptyState>
    </section>
  );
}

function Sessions() {
  const { blueprint, sessions } = useLoaderData<BlueprintData>();
  if (sessions.length === 0) return null;
  const more = blueprint.sessionsCount - sessions.length;
  return (
    <Panel title={texts.sessionsTitle} aside={formatCount(blueprint.sessionsCount)}>
      <ul className="list tall">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} admin />
        ))}
      </ul>
      {more <= 0 ? null : (
        <p className="body small ink2">
          {fill(texts.olderSessions(more), { sessions: <Link to="/sessions">{texts.sessionsLink}</Link> })}
        </p>
      )}
    </Panel>
  );
}

function Deletion({ blueprint: { name, blueprintEvents } }: { blueprint: BlueprintView }) {
  return (
    <div>
      <Confirm
        label={texts.deleteBlueprint}
        className="btn bad"
        title={texts.deleteTitle(name)}
        act={{ label: texts.deleteButton, intent: "delete", className: "btn bad" }}
        cancelLabel={texts.keepIt}
      >
        <p>{texts.deleteHint(blueprintEvents.length)}</p>
      </Confirm>
    </div>
  );
}

/** The planned length and the settings of its sessions. */
function BlueprintFacts({ blueprint }: { blueprint: BlueprintView }) {
  const { blueprintEvents, defaults } = blueprint;
  const facts = {
    [texts.actionsFact]: formatCount(blueprintEvents.length),
    [texts.plannedLength]: lengthText(blueprintEvents),
    [texts.lead]: texts.seconds(defaults.leadSeconds),
    [texts.settlementDelay]:
      defaults.settlementDelaySeconds === 0 ? texts.none : texts.seconds(defaults.settlementDelaySeconds),
    [texts.hostMayCall]: defaults.smallRoom ? texts.yes : texts.no,
    [texts.settleThemselves]: defaults.voidUncalled ? texts.yes : texts.no,
    [texts.houseDollar]: defaults.houseDollar ? texts.yes : texts.no,
  };
  return (
    <section className="panel pad" aria-label={texts.planAndSettings}>
      <dl className="plan-facts">
        {Object.entries(facts).map(([name, value]) => (
          <div className="kv" key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
