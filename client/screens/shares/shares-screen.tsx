import { Link, useActionData, useLoaderData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { sharesTexts } from "#client/share/share-texts.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import type { ShareView } from "#src/shares/schemas.ts";
import type { SharesData } from "./load-shares.ts";
import { LinkField, ShareRow } from "./share-row.tsx";

/** The viewer's own links: what they show, when they expire, and a button that revokes each. */
export function SharesScreen() {
  const { shares, meta, madeId } = useLoaderData<SharesData>();
  const refused = useActionData<Refused>();
  const guest = useViewer()?.guest === true;
  const made = shares.find(({ id }) => id === madeId);
  return (
    <PageLayout
      title={sharesTexts.title}
      actions={
        guest ? null : (
          <Link className="btn" to="/profile">
            {sharesTexts.toProfile}
          </Link>
        )
      }
    >
      {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
      {made === undefined ? null : <Made share={made} />}
      <section className="panel" aria-label={sharesTexts.title}>
        {shares.length === 0 ? (
          <EmptyState icon="mark" title={sharesTexts.none}>
            <p>{sharesTexts.noneAbout}</p>
          </EmptyState>
        ) : (
          <ul className="list">
            {shares.map((share) => (
              <ShareRow key={share.id} share={share} />
            ))}
          </ul>
        )}
      </section>
      <Pagination meta={meta} />
      <p className="small ink2">{sharesTexts.about}</p>
    </PageLayout>
  );
}

function Made({ share }: { share: ShareView }) {
  return (
    <Panel title={sharesTexts.made}>
      <div className="body stack">
        <p className="small ink2">{sharesTexts.madeAbout}</p>
        <LinkField share={share} />
      </div>
    </Panel>
  );
}
