import type { ReactNode } from "react";
import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import * as texts from "#client/sign-ins/terms-texts.ts";
import { fill } from "#client/ui/fill.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { cookieNames } from "#src/http/contract.ts";
import * as cookieTexts from "./cookie-texts.ts";

const columns: readonly Column<(typeof cookieNames)[number]>[] = [
  { head: cookieTexts.name, cell: (name) => <code>{name}</code>, verbatim: true },
  { head: cookieTexts.purpose, cell: (name) => cookieTexts.purposes[name] },
];

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
      <Panel title={cookieTexts.cookies}>
        <p className="body small ink2">{cookieTexts.prefix}</p>
        <Table columns={columns} rows={cookieNames} keyOf={(name) => name} />
      </Panel>
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
