import { useActionData, useLoaderData } from "react-router";
import { pageIn } from "#client/base/format/page-in.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { sharesTexts } from "#client/share/share-texts.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { formAction } from "#client/ui/forms/form-action.ts";
import { Named, PostButton, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { List } from "#client/ui/list.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { shareLifetimesDays } from "#src/shares/contract.ts";
import type { SharesAnswer, ShareView } from "#src/shares/schemas.ts";

const fields = {
  intent: "text",
  kind: "text",
  targetId: "number",
  timeZone: "optional",
  id: "text",
  expiresInDays: "number",
} as const;

/** The viewer's own links: what they show, when they expire, and a button that revokes each. */
export function SharesScreen() {
  const { shares, meta, madeId } = useLoaderData<SharesData>();
  const refused = useActionData<Refused>();
  const guest = useViewer()?.guest === true;
  const made = shares.find(({ id }) => id === madeId);
  return (
    <PageLayout
      title={words.sharedLinks}
      actions={guest ? null : <ButtonLink to="/profile">Back to the profile</ButtonLink>}
    >
      <Refusal refused={refused} />
      {made === undefined ? null : <Made share={made} />}
      <section className="panel" aria-label={words.sharedLinks}>
        {shares.length === 0 ? (
          <EmptyState icon="mark" title="Nothing shared yet">
            <p>
              Share a call from its receipt, your session when it is over, or your records from your profile.
              Its link is then listed here.
            </p>
          </EmptyState>
        ) : (
          <List items={shares} row={(share) => <ShareRow key={share.id} share={share} />} />
        )}
      </section>
      <Pagination meta={meta} />
      <p className="small ink2">
        Everybody who has a link sees what it shows, with your username. Nobody else does.
      </p>
    </PageLayout>
  );
}

function Made({ share }: { share: ShareView }) {
  return (
    <Panel title="Your link" body="stack">
      <p className="small ink2">Copy it, and send it to whom you like.</p>
      <LinkField share={share} />
    </Panel>
  );
}

/** One link in the list: what it shows, when it expires, and what can be done with it. */
function ShareRow({ share }: { share: ShareView }) {
  const { id, kind, title, expired } = share;
  return (
    <li className="share-row">
      <div className="grow stack">
        <p className="row wrap">
          <Pill icon="mark" tone={expired ? "gone" : "outline"} text={sharesTexts.kindLabel(kind)} />
          {title === sharesTexts.kindLabel(kind) ? null : <b className="wrap-anywhere">{title}</b>}
        </p>
        <p className="small ink2">{useLifetime(share)}</p>
        {expired ? null : <LinkField share={share} />}
      </div>
      <div className="row wrap">
        {expired ? null : <Lifetime share={share} />}
        <PostButton
          className="btn sm bad"
          intent="revoke"
          fields={{ id }}
          form={{ preventScrollReset: true }}
        >
          <Named label="Revoke" name={title} />
        </PostButton>
      </div>
    </li>
  );
}

function useLifetime({ createdAt, expiresAt, expired }: ShareView): string {
  const zone = useTimeZone();
  if (expired) return "Has expired. Share it again for a new link.";
  const made = `Made on ${formatDate(createdAt, zone)}.`;
  return `${made} ${expiresAt === null ? "Works until you revoke it." : `Works until ${formatDate(expiresAt, zone)}.`}`;
}

/** The link in a field from which it can be copied, and a link that opens it. */
function LinkField({ share: { title, url } }: { share: ShareView }) {
  return (
    <div className="row">
      <input
        className="input sm"
        readOnly
        value={url}
        aria-label={`Link to ${title}`}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <a className="btn sm" href={new URL(url).pathname}>
        <Named label={words.open} name={title} />
      </a>
    </div>
  );
}

function Lifetime({ share: { id, title, expiresAt } }: { share: ShareView }) {
  return (
    <PostForm className="row" preventScrollReset fields={{ id }}>
      <select
        className="input sm"
        name="expires_in_days"
        aria-label={`${"Works"}: ${title}`}
        defaultValue={expiresAt === null ? "" : String(shareLifetimesDays[1])}
      >
        <option value="">until revoked</option>
        {shareLifetimesDays.map((days) => (
          <option key={days} value={days}>
            {sharesTexts.days(days)}
          </option>
        ))}
      </select>
      <Submit className="btn sm" intent="expire">
        <Named label={words.change} name={title} />
      </Submit>
    </PostForm>
  );
}

/** Makes, changes or revokes a link, and returns to the list. */
export const actOnShares = formAction(fields, async ({ intent, id, expiresInDays, ...wish }, { api }) => {
  const path = `/api/v1/shares/${encodeURIComponent(id)}` as const;
  if (intent === "revoke") await api.delete(path);
  else if (intent === "expire") await api.patch(path, { share: { expiresInDays: expiresInDays ?? null } });
  else return `/shares?made=${(await api.post("/api/v1/shares", { share: wish })).share.id}`;
  return "/shares";
});

type SharesData = SharesAnswer & {
  /** The link that was just made (`?made=12`); null where none was. */
  madeId: number | null;
};

/** A page of the viewer's own links, newest first. */
export async function loadShares({ api, url }: LoaderArgs): Promise<SharesData> {
  const search = url.searchParams;
  const query = { page: pageIn(search) };
  const answer = await api.get("/api/v1/shares", { query });
  return { ...answer, madeId: Number(search.get("made")) || null };
}
