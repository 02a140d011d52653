import type { ReactNode } from "react";
import { Link } from "react-router";
import { useViewer } from "../context.ts";
import { PageLayout, Panel } from "../ui/page-layout.tsx";

/** What everybody who plays agrees to. Open to all, with and without a sign-in. */
export function TermsScreen() {
  const viewer = useViewer();
  return (
    <PageLayout title="Terms">
      <p className="ink2">
        Short, because the game is. By creating an account or playing as a guest you agree to this.
      </p>
      <Terms title="Play money">
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
          sign-in.
        </li>
        <li>
          Cookies that keep you signed in, and remember your theme and your time zone. No advertising, no
          tracking.
        </li>
        <li>Guests who never placed a call are removed after 30 days, and notifications after 90.</li>
      </Terms>
      <p className="small ink2">
        {viewer === null || viewer.guest ? (
          <Link to="/users/guest_registration">Create an account</Link>
        ) : (
          <>
            You can close your account under <Link to="/profile/account">Account</Link>.
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
