import { type ReactNode, use } from "react";
import { useLocation, useNavigation } from "react-router";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import type { Deferred, Outcome } from "#client/base/deferred/deferred.ts";
import { ErrorBox } from "./error-box.tsx";
import * as texts from "./ui-texts.ts";

type LoadedProps<Data> = {
  data: Deferred<Data>;
  /** True where another part of the page shows the same data, and so says that it could not be loaded. */
  quiet?: boolean;
  children: (data: Data) => ReactNode;
};

/**
 * A part of a page whose data may come later: its loading state, then its content or its error. The content stays while it is
 * loaded again, and is marked as busy. Without JavaScript these parts follow below the page, so put them last.
 * @param loading shown until the data is there.
 */
export function WhenLoaded<Data>({
  data,
  loading = <Loading />,
  ...props
}: LoadedProps<Data> & { loading?: ReactNode }) {
  return (
    <Boundary key={data.path} fallback={loading}>
      <Loaded data={data} {...props} />
    </Boundary>
  );
}

/**
 * Waits for the outcome, and has no other hook: when React renders a part again after it has waited, hooks that follow a `use` which
 * is left out this time are refused ("Update hook called on initial render").
 */
function Loaded<Data>({ data, ...props }: LoadedProps<Data>) {
  return <Part outcome={data.settled ?? use(data.outcome)} {...props} />;
}

type PartProps<Data> = Omit<LoadedProps<Data>, "data"> & { outcome: Outcome<Data> };

function Part<Data>({ outcome, quiet = false, children }: PartProps<Data>) {
  const { pathname } = useLocation();
  const loadedAgain = useNavigation().location?.pathname === pathname;
  if ("failure" in outcome) return quiet ? null : <ErrorBox failure={outcome.failure} level={2} />;
  return (
    <div className="part" aria-busy={loadedAgain}>
      {children(outcome.data)}
    </div>
  );
}

/** The loading state of a part. Styles hide it during short waits, and without JavaScript: the part then follows the page. */
function Loading() {
  return (
    <p className="panel loading small ink2" role="status">
      {texts.loading}
    </p>
  );
}
