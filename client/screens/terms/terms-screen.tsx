import type { ReactNode } from "react";
import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import * as texts from "#client/sign-ins/terms-texts.ts";
import { fill } from "#client/ui/fill.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";

/** What everybody who plays agrees to. Open to all, with and without a sign-in. */
export function TermsScreen() {
  const viewer = useViewer();
  return (
    <PageLayout title={texts.terms}>
      <p className="ink2">{texts.intro}</p>
      <Terms title={texts.playMoney}>
        <li>{texts.noRealMoneyRule}</li>
        <li>{texts.topUpRule}</li>
        <li>{texts.depositRule}</li>
      </Terms>
      <Terms title={texts.fairPlay}>
        <li>{texts.oneAccountRule}</li>
        <li>{texts.callTimeRule}</li>
        <li>{texts.resultsRule}</li>
        <li>{texts.chatRule}</li>
      </Terms>
      <Terms title={texts.whatIsKept}>
        <li>{texts.keptProfile}</li>
        <li>{texts.keptEntries}</li>
        <li>{texts.keptBrowsers}</li>
        <li>{texts.keptCookies}</li>
        <li>{texts.removedAfter}</li>
      </Terms>
      <p className="small ink2">
        {viewer === null || viewer.guest ? (
          <Link to="/users/guest_registration">{texts.createAccount}</Link>
        ) : (
          <>
            {fill(texts.closeAccountHint, {
              account: <Link to="/profile/account">{texts.account}</Link>,
            })}
          </>
        )}
      </p>
    </PageLayout>
  );
}

function Terms({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel title={title}>
      <ul className="body stack">{children}</ul>
    </Panel>
  );
}
