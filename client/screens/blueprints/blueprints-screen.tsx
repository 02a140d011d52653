import { Form, Link, useLoaderData, useSearchParams } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { lengthText } from "#client/blueprints/plan-times.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { List } from "#client/ui/list.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { say } from "#src/http/contract.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import type { BlueprintsAnswer, BlueprintView, RemovalsAnswer } from "#src/show/blueprints/schemas.ts";
import { noticeIn } from "./notices.ts";
import { RemovedLately, RemovedNotice } from "./removed-lately.tsx";

export function BlueprintsScreen() {
  const { page } = useLoaderData<BlueprintsData>();
  const [search] = useSearchParams();
  const notice = noticeIn(search);
  const name = search.get("name")?.trim() ?? "";
  return (
    <PageLayout title={words.blueprints} actions={<NewBlueprint />}>
      <WhenLoaded data={page}>
        {(answer) => (
          <>
            {notice === null ? null : <RemovedNotice text={notice.text} removal={answer.removals[0]} />}
            <Blueprints {...answer} name={name} />
            <RemovedLately removals={answer.removals} />
          </>
        )}
      </WhenLoaded>
    </PageLayout>
  );
}

/** @param name the part of the name that all of them have; empty: all blueprints. */
function Blueprints({ blueprints, meta, name }: BlueprintsAnswer & { name: string }) {
  return (
    <>
      {meta.totalCount === 0 && name === "" ? null : <Search name={name} />}
      {meta.totalCount === 0 ? (
        <section className="panel">{name === "" ? <NoBlueprints /> : <NothingFound name={name} />}</section>
      ) : (
        <Panel title={name === "" ? "All" : say`Named like "${name}"`} aside={formatCount(meta.totalCount)}>
          <List
            className="list tall"
            items={blueprints}
            row={(blueprint) => <BlueprintRow key={blueprint.id} blueprint={blueprint} />}
          />
        </Panel>
      )}
      <Pagination meta={meta} />
    </>
  );
}

function NewBlueprint() {
  return (
    <Link className="btn primary" to="/blueprints/new">
      {words.newBlueprint}
    </Link>
  );
}

function Search({ name }: { name: string }) {
  return (
    <Form className="row search" role="search">
      <label className="vh" htmlFor="name">
        {words.name}
      </label>
      <input
        className="input"
        id="name"
        type="search"
        name="name"
        key={name}
        defaultValue={name}
        maxLength={blueprintLimits.nameLengthMax}
        placeholder="A part of the name"
        autoComplete="off"
      />
      <button className="btn" type="submit">
        {words.search}
      </button>
    </Form>
  );
}

function BlueprintRow({ blueprint }: { blueprint: BlueprintView }) {
  const { id, name, blueprintEvents, sessionsCount } = blueprint;
  return (
    <li>
      <span className="grow">
        <b className="clip">{name}</b>
        <span className="tiny muted num">
          {`${countOf(blueprintEvents.length, "action")}, ${lengthText(blueprintEvents)}.`}{" "}
          {sessionsCount === 0 ? "No session yet." : `${countOf(sessionsCount, "session")}.`}
        </span>
      </span>
      <span className="row">
        <Link className="btn sm" to={`/blueprints/${id}`}>
          {words.view}
          <span className="vh">: {name}</span>
        </Link>
        <Link className="btn sm" to={`/blueprints/${id}/edit`}>
          {words.edit}
          <span className="vh">: {name}</span>
        </Link>
      </span>
    </li>
  );
}

function NoBlueprints() {
  return (
    <EmptyState icon="slip" title="No blueprints yet">
      <p>
        A blueprint is a list of actions with their times. Sessions are made from it, as often as you like.
      </p>
      <Link className="btn primary" to="/blueprints/new">
        <Icon name="plus" size="s" />
        Write the first one
      </Link>
    </EmptyState>
  );
}

function NothingFound({ name }: { name: string }) {
  return (
    <EmptyState icon="none" title="No blueprint is named so">
      <p>{say`None has "${name}" in its name.`}</p>
      <ButtonLink to="/blueprints">Show all</ButtonLink>
    </EmptyState>
  );
}

type BlueprintsData = { page: Deferred<BlueprintsAnswer & RemovalsAnswer> };

/** Loads a page of the blueprints; `?name=derby` filters by a part of the name. */
export async function loadBlueprints(args: LoaderArgs): Promise<BlueprintsData> {
  const { api, url } = args;
  const search = url.searchParams;
  const name = search.get("name")?.trim() ?? "";
  const query = { name: name === "" ? null : name, page: pageIn(search) };
  const page = await defer(args, async () => {
    const [blueprints, { removals }] = await Promise.all([
      api.get("/api/v1/blueprints", { query }),
      api.get("/api/v1/blueprint_removals"),
    ]);
    return { ...blueprints, removals };
  });
  return { page };
}
