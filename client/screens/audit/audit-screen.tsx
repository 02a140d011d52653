import { Form, Link, useLoaderData } from "react-router";
import { fromFieldTime } from "#client/base/format/field-time.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { describeLine } from "#client/running-order/describe-line.ts";
import { Choice } from "#client/ui/choice.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { List } from "#client/ui/list.tsx";
import { ButtonLink, PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { ExactMoment } from "#client/ui/time.tsx";
import { auditSubjects } from "#db/lists/audit.ts";
import type { SiteAuditAnswer, SiteAuditLine } from "#src/operate/audit/schemas.ts";

const PATH = "/admin/audit";

/** For admins: who did what to which record on the whole site, newest first. */
export function AuditScreen() {
  const { answer, asked, file, zone } = useLoaderData<AuditData>();
  const { audit, actions, meta } = answer;
  return (
    <PageLayout title={words.audit}>
      <Filters key={JSON.stringify(asked)} asked={asked} actions={actions} />
      <Panel
        title="Who did what"
        aside={
          <a href={file} download>
            Export as CSV
          </a>
        }
      >
        <List
          items={audit}
          row={(line) => <Line key={line.id} line={line} />}
          empty={
            <EmptyState icon="eye" title="Nothing is on record">
              <p>
                What admins, operators and hosts do appears here. <Link to={PATH}>Show everything</Link>.
              </p>
            </EmptyState>
          }
        />
      </Panel>
      <p className="row wrap small ink2">
        {asked.before === undefined ? null : (
          <ButtonLink to={linkTo({ ...asked, before: undefined })}>Newest</ButtonLink>
        )}
        {meta.before === null ? null : (
          <ButtonLink to={linkTo({ ...asked, before: String(meta.before) })}>Older</ButtonLink>
        )}
        <span>{`Days are those of ${zone.replaceAll("_", " ")}.`}</span>
      </p>
    </PageLayout>
  );
}

function Filters({ asked, actions }: { asked: Asked; actions: readonly string[] }) {
  return (
    <Form className="row wrap" role="search">
      <Choice label="Action" name="action" value={asked.action ?? ""} options={optionsOf(actions)} />
      <Choice label="Done to" name="subject" value={asked.subject ?? ""} options={optionsOf(auditSubjects)} />
      <Field label="Done by" name="actor" value={asked.actor ?? ""} placeholder="Username or id" optional />
      <Field
        label="Session"
        name="session"
        value={asked.session ?? ""}
        placeholder="Its address or id"
        optional
      />
      <Field label="From" name="from" type="date" value={asked.from ?? ""} optional />
      <Field label="Until" name="to" type="date" value={asked.to ?? ""} optional />
      <Submit>{words.show}</Submit>
    </Form>
  );
}

const asText = (name: string) => name.replaceAll("_", " ");

function optionsOf(names: readonly string[]) {
  return [{ value: "", label: "Everything" }, ...names.map((value) => ({ value, label: asText(value) }))];
}

function Line({ line }: { line: SiteAuditLine }) {
  const { actor, subject, session, reason, before, after } = line;
  const values = { before, after };
  const isLong = Object.keys({ ...before, ...after }).length > 0;
  return (
    <li>
      <span className="grow stack">
        <span className="wrap-anywhere">
          <b>{describeLine(line)}</b> {subject.title ?? `${asText(subject.type)} ${subject.id}`}
        </span>
        <span className="small ink2 wrap-anywhere">
          <ExactMoment at={line.at} />
          {session === null ? null : (
            <>
              {", "}
              <Link to={linkTo({ session: session.slug })}>{session.name}</Link>
            </>
          )}
          {actor === null ? null : (
            <>
              {", "}
              <Link to={linkTo({ actor: String(actor.id) })}>{`all of ${actor.username}`}</Link>
            </>
          )}
        </span>
        {reason === null || reason === "" ? null : <q className="small">{reason}</q>}
        {isLong ? (
          <details className="fold small">
            <summary>Before and after</summary>
            <pre className="wrap-anywhere" translate="no">
              {JSON.stringify(values, null, 1)}
            </pre>
          </details>
        ) : null}
      </span>
    </li>
  );
}

const fields = ["action", "subject", "actor", "session", "from", "to", "before"] as const;
type Asked = { [Name in (typeof fields)[number]]?: string | undefined };
type AuditData = { answer: SiteAuditAnswer; asked: Asked; file: string; zone: string };

function linkTo(asked: Asked): string {
  const search = searchOf(asked);
  return search === "" ? PATH : `${PATH}?${search}`;
}

function searchOf(asked: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(given).toString();
}

/** A page of the audit: `?action=resolve&actor=ana&from=2026-11-21&before=812`. What the address says wrongly is left out. */
export async function loadAudit({ api, url, context }: LoaderArgs): Promise<AuditData> {
  const zone = context.get(pageContext).timeZone;
  const textIn = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  const asked: Asked = Object.fromEntries(fields.map((name) => [name, textIn(name)]));
  const filter = {
    action: asked.action,
    subject: auditSubjects.find((kind) => kind === asked.subject),
    actor: asked.actor,
    session: asked.session,
    from: startOf(asked.from, 0, zone),
    to: startOf(asked.to, 1, zone),
  };
  const before = /^[1-9]\d{0,14}$/.test(asked.before ?? "") ? asked.before : undefined;
  const answer = await api.get("/api/v1/audit", { query: { ...filter, before } });
  return { answer, asked: { ...asked, before }, file: `/api/v1/audit.csv?${searchOf(filter)}`, zone };
}

const DAY_MS = 86_400_000;

/** When a day begins in a time zone. @param after so many days after it. */
function startOf(day: string | undefined, after: number, zone: string): string | undefined {
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(dayMs)) return undefined;
  const date = new Date(dayMs + after * DAY_MS).toISOString().slice(0, 10);
  return fromFieldTime(`${date}T00:00`, zone) ?? undefined;
}
