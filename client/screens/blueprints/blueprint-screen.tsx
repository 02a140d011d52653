import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { durationText } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import type { BlueprintData } from "#client/blueprints/load-blueprint.ts";
import { lengthText, startText } from "#client/blueprints/plan-times.ts";
import { BrandPanel } from "#client/sessions/brand-panel.tsx";
import { SessionRow } from "#client/sessions/session-row.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { PostButton } from "#client/ui/forms/post-form.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { say } from "#src/http/contract.ts";
import type { BlueprintEventView, BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { ActRefused } from "./act-on-blueprint.ts";
import { EventColumnHeadings, TermCells } from "./event-columns.tsx";
import { GenerateSession } from "./generate-session.tsx";
import { noticeIn } from "./notices.ts";
import { Timeline } from "./timeline.tsx";

const seconds = (count: number) => `${count} s`;

export function BlueprintScreen() {
  const { blueprint } = useLoaderData<BlueprintData>();
  const { id, name, description, blueprintEvents } = blueprint;
  const refused = useActionData<ActRefused>();
  const notice = noticeIn(useSearchParams()[0]);
  return (
    <PageLayout
      title={name}
      actions={
        <div className="row wrap">
          <ButtonLink to={`/blueprints/${id}/edit`}>{words.edit}</ButtonLink>
          <ButtonLink to={`/blueprints/${id}/dry_run`}>{words.dryRun}</ButtonLink>
          <GenerateSession blueprint={blueprint} refused={refused} />
        </div>
      }
    >
      {notice === null || refused !== undefined ? null : <Note tone="ok">{notice.text}</Note>}
      {refused?.intent === "delete" || refused?.intent === "duplicate" || refused?.intent === "undo" ? (
        <NotDeleted refused={refused} />
      ) : null}
      {description === "" ? null : <p className="ink2 wrap-anywhere">{description}</p>}
      {blueprintEvents.length === 0 ? null : (
        <Timeline events={blueprintEvents.map((event) => ({ ...event, look: "" }))} />
      )}
      <div className="split">
        <Events blueprint={blueprint} />
        <aside className="stack wide">
          <BlueprintFacts blueprint={blueprint} />
          <Sessions />
          <Brand blueprint={blueprint} refused={refused} />
          <Export id={id} />
          <Deletion blueprint={blueprint} />
        </aside>
      </div>
    </PageLayout>
  );
}

/** What its sessions show of those who give them. */
function Brand({ blueprint, refused }: { blueprint: BlueprintView; refused: ActRefused | undefined }) {
  const { defaults, version } = blueprint;
  const own = refused?.intent === "brand" ? refused : { brand: undefined, errors: {} };
  return <BrandPanel brand={defaults.brand} typed={own.brand} errors={own.errors} version={version} />;
}

/** The API's sentence, and the session that prevents the deletion. */
function NotDeleted({ refused: { errors, refusal } }: { refused: ActRefused }) {
  const sentences = new Set([...(errors["base"] ?? []), refusal]);
  return <Note tone="bad">{[...sentences].join(". ")}</Note>;
}

function Events({ blueprint: { id, blueprintEvents } }: { blueprint: BlueprintView }) {
  if (blueprintEvents.length > 0) return <EventsList events={blueprintEvents} />;
  return (
    <EmptyPanel icon="slip" title="No actions yet">
      <p>A session that is made now would have nothing to call.</p>
      <Link className="btn primary" to={`/blueprints/${id}/edit?panel=paste`}>
        Add actions
      </Link>
    </EmptyPanel>
  );
}

function Sessions() {
  const { blueprint, sessions } = useLoaderData<BlueprintData>();
  if (sessions.length === 0) return null;
  const more = blueprint.sessionsCount - sessions.length;
  return (
    <Panel title="Its sessions" aside={formatCount(blueprint.sessionsCount)}>
      <List
        className="list tall"
        items={sessions}
        row={(session) => <SessionRow key={session.id} session={session} admin />}
      />
      {more <= 0 ? null : (
        <p className="body small ink2">
          {fill(`And ${countOf(more, "older one")}, among all {sessions}.`, {
            sessions: <Link to="/sessions">sessions</Link>,
          })}
        </p>
      )}
    </Panel>
  );
}

function Export({ id }: { id: number }) {
  return (
    <section className="panel pad stack" aria-label="Export">
      <h2 className="panel-title">Export</h2>
      <p className="small ink2">
        CSV for a spreadsheet; JSON for another installation. Both can be pasted back.
      </p>
      <div className="row">
        <a className="btn sm" href={`/api/v1/blueprints/${id}/export.csv`} download>
          CSV
        </a>
        <a className="btn sm" href={`/api/v1/blueprints/${id}/export.json`} download>
          JSON
        </a>
      </div>
    </section>
  );
}

function Deletion({ blueprint: { name, blueprintEvents } }: { blueprint: BlueprintView }) {
  return (
    <div className="row wrap">
      <PostButton intent="duplicate" className="btn">
        Duplicate
      </PostButton>
      <Confirm
        label="Delete the blueprint"
        className="btn bad"
        title={say`Delete ${name}?`}
        act={{ label: words.deleteIt, intent: "delete", className: "btn bad" }}
        cancelLabel={words.keepIt}
      >
        <p>{`It goes with its ${countOf(blueprintEvents.length, "action")}. Finished sessions stay. It can be brought back for 24 hours.`}</p>
      </Confirm>
    </div>
  );
}

/** An answer of a process of the release before has none. */
function teamsOf(defaults: BlueprintView["defaults"]): string {
  return "teams" in defaults && defaults.teams.length > 0 ? defaults.teams.join(", ") : words.none;
}

function BlueprintFacts({ blueprint }: { blueprint: BlueprintView }) {
  const { blueprintEvents, defaults } = blueprint;
  const facts = {
    [words.actions]: formatCount(blueprintEvents.length),
    ["Planned length"]: lengthText(blueprintEvents),
    ["Lead"]: seconds(defaults.leadSeconds),
    ["Settlement delay"]:
      defaults.settlementDelaySeconds === 0 ? words.none : seconds(defaults.settlementDelaySeconds),
    ["Host may call"]: defaults.smallRoom ? "Yes" : "No",
    ["Actions without calls settle themselves"]: defaults.voidUncalled ? "Yes" : "No",
    ["On the house: $1 for who has run out"]: defaults.houseDollar ? "Yes" : "No",
    ["Private: only with the code"]: defaults.private ? "Yes" : "No",
    ["Guests get a name and do not type one"]: defaults.givenNames ? "Yes" : "No",
    ["Chat on the big screen is approved first"]: defaults.chatApproval ? "Yes" : "No",
    [words.teams]: teamsOf(defaults),
  };
  return (
    <section className="panel pad" aria-label="Plan and settings">
      <dl className="plan-facts">
        {Object.entries(facts).map(([name, value]) => (
          <KeyValue key={name} label={name}>
            {value}
          </KeyValue>
        ))}
      </dl>
    </section>
  );
}

function EventsList({ events }: { events: readonly BlueprintEventView[] }) {
  return (
    <section className="panel" aria-label={words.actions}>
      <table className="table events">
        <thead>
          <tr>
            <EventColumnHeadings />
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="num muted">{event.position}</td>
              <td className="question">
                <b>{event.title}</b>
                <span className="narrow-only tiny muted">
                  {say`${event.trueLabel} or ${event.falseLabel}, ${durationText(event.durationSeconds)}, ${startText(event, event.position)}`}
                </span>
              </td>
              <TermCells
                {...event}
                starts={startText(event, event.position)}
                seconds={event.durationSeconds}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
