import type { ReactNode } from "react";
import { Link, redirectDocument } from "react-router";
import * as words from "#client/base/format/words.ts";
import { usePage } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { cookieNames, type CookieName } from "#src/http/contract.ts";
import { OWN_TERMS_PATH, site } from "#src/settings/contract.ts";

const cookies = "Cookies";
const purposes: Readonly<Record<CookieName, string>> = {
  called_it: "Keeps you signed in.",
  called_it_visitor: "Proves that what this browser sends comes from our pages.",
  called_it_browser: "Knows this browser again, so that nobody else's wrong passwords lock you out.",
  called_it_wrote: "Lasts some seconds after a change, so that you see it at once.",
  theme: "Your theme, light or dark, if you chose one.",
  time_zone: "Your time zone, for times that are yours.",
  delay: "How far your stream is behind, if you set it.",
  wager: "The amount of your last call, where JavaScript is off.",
};

const columns: readonly Column<(typeof cookieNames)[number]>[] = [
  { head: words.name, cell: (name) => <code>{name}</code>, verbatim: true },
  { head: "What it is for", cell: (name) => purposes[name] },
];

/** Leads to the site's own terms, where it has some. */
export function loadTerms(): null {
  if (site().pages[0]?.path === OWN_TERMS_PATH) throw redirectDocument(OWN_TERMS_PATH);
  return null;
}

/** What everybody who plays agrees to. Open to all, with and without a sign-in. */
export function TermsScreen() {
  const { viewer, closed } = usePage();
  return (
    <PageLayout title={words.terms}>
      <p className="ink2">
        Short, because the game is. By creating an account or playing as a guest you agree to this.
      </p>
      <Terms title={words.playMoney}>
        <li>You play with play money. It is worth nothing outside of the game, and is never paid out.</li>
        <li>A new wallet starts with some. When you run out, you can top up once a day.</li>
        <li>A deposit buys more play money. Only the people who run this site can refund it.</li>
      </Terms>
      <Terms title="Fair play">
        <li>One person, one account.</li>
        <li>
          A call counts if it reached the server before its question closed. Only the server's clock counts.
        </li>
        <li>
          The host decides the results, and may correct a wrong one. Then all its calls are settled again, and
          you can read why.
        </li>
        <li>Be kind in the chat. The host can mute players there, and close accounts.</li>
      </Terms>
      <Terms title="What is kept">
        <li>
          Your email address, your username, and what you add to your profile. Your password only in a form
          that nobody can read.
        </li>
        <li>
          Your calls, your wallet's entries and your chat messages. They stay when you close your account,
          because the books are never rewritten.
        </li>
        <li>
          The browsers with which you sign in, and their network addresses, so that you can check and end each
          sign-in, until 30 days after it has expired. A host can see for 10 minutes who came from the same
          network, and never the address.
        </li>
        <li>The cookies below. No advertising, no tracking.</li>
        <li>Guests who never placed a call are removed after 30 days, and notifications after 90.</li>
      </Terms>
      <Panel title={cookies}>
        <p className="body small ink2">Over https the first four begin with __Host-.</p>
        <Table columns={columns} rows={cookieNames} keyOf={(name) => name} />
      </Panel>
      <p className="small ink2">
        {viewer === null || viewer.guest ? (
          (closed?.registration ?? <Link to="/users/guest_registration">{words.createAnAccount}</Link>)
        ) : (
          <>
            {fill("You can close your account under {account}.", {
              account: <Link to="/profile/account">{words.account}</Link>,
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
