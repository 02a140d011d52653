import { type ReactNode, use } from "react";
import { useLocation, useNavigation } from "react-router";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import type { Deferred, Outcome } from "#client/base/deferred/deferred.ts";
import * as words from "#client/base/format/words.ts";
import { ErrorBox } from "./error-box.tsx";

type PartProps<Data> = {
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
  loading = <Loading />,
  ...props
}: PartProps<Data> & { loading?: ReactNode }) {
  const { data } = props;
  return (
    <Boundary key={data.path} fallback={loading}>
      <Part settled={data.settled} {...props} />
    </Boundary>
  );
}

/**
 * @param settled the outcome as it was when the whole part was rendered. React renders a part that has waited once more with the
 *   same props, and then it must call `use` again.
 */
function Part<Data>({
  data,
  settled,
  quiet = false,
  children,
}: PartProps<Data> & { settled: Outcome<Data> | null }) {
  const outcome = settled ?? use(data.outcome);
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
      {words.loading}
    </p>
  );
}
