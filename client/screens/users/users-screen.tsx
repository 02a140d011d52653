import { useEffect, useRef } from "react";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatCount } from "#client/base/format/count.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, Refusal } from "#client/ui/forms/post-form.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { SearchInput } from "#client/ui/search-input.tsx";
import { Select } from "#client/ui/select.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { ANNOUNCEMENT_BODY_MAX, ANNOUNCEMENT_TITLE_MAX } from "#src/people/notifications/contract.ts";
import { EMAIL_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { SEARCH_FOUND_MAX, userGroups, userOrders, type UserOrder } from "#src/profiles/contract.ts";
import type { UserRow, UsersAnswer } from "#src/profiles/schemas.ts";
import { accountStatusOf } from "./manage-account.tsx";

const orders = {
  newest: "Newest first",
  name: "By name",
  last_visit: "Last visit first",
} as const satisfies Record<UserOrder, string>;

const groups = {
  "": "Everybody",
  admin: "Admins",
  operator: "Operators",
  account: "Accounts",
  guest: "Guests",
} as const satisfies Record<"" | (typeof userGroups)[number], string>;

export function UsersScreen() {
  const { page, formKey, ...asked } = useLoaderData<UsersData>();
  return (
    <PageLayout title={words.users}>
      <Search {...asked} />
      <WhenLoaded data={page}>{(answer) => <Users {...answer} search={asked.search} />}</WhenLoaded>
      <AnnouncementForm formKey={formKey} />
    </PageLayout>
  );
}

function Users({ users, meta, search }: UsersAnswer & { search: string }) {
  const loading = useNavigation().location?.pathname === "/users";
  return (
    <>
      <section className="panel users">
        {users.length === 0 && !loading ? (
          <NobodyFound search={search} />
        ) : (
          <UserTable users={users} loading={loading} />
        )}
      </section>
      {meta.totalCount === SEARCH_FOUND_MAX ? (
        <p className="small ink2">{`Only ${formatCount(SEARCH_FOUND_MAX)} are listed. Search for more letters to find others.`}</p>
      ) : null}
      <Pagination meta={meta} />
    </>
  );
}

function Search({ search, role, order }: Pick<UsersData, "search" | "role" | "order">) {
  return (
    <Form className="row wrap search" role="search">
      <Select aria-label={words.show} name="role" key={`role ${role}`} defaultValue={role} options={groups} />
      <Select aria-label="Order" name="order" key={`order ${order}`} defaultValue={order} options={orders} />
      <span className="row grow">
        <SearchInput
          search={search}
          placeholder="Email or username"
          label="Search users"
          maxLength={EMAIL_LENGTH_MAX}
          button={words.search}
        />
      </span>
    </Form>
  );
}

const columns: readonly Column<UserRow>[] = [
  { head: "Id", cell: ({ id }) => id, cellClass: "num muted" },
  { head: words.email, cell: (user) => <Account user={user} /> },
  {
    head: words.actions,
    cell: ({ id, email, username }) => (
      <Link className="btn sm" to={`/users/${id}`}>
        <Named label={words.view} name={email ?? username} />
      </Link>
    ),
    end: true,
  },
];

function UserTable({ users, loading }: { users: readonly UserRow[]; loading: boolean }) {
  return (
    <Table columns={columns} rows={loading ? [] : users} keyOf={({ id }) => id}>
      {loading ? <LoadingRow /> : null}
    </Table>
  );
}

function LoadingRow() {
  return (
    <tr>
      <td colSpan={columns.length} className="muted" role="status">
        {words.loading}
      </td>
    </tr>
  );
}

function Account({ user }: { user: UserRow }) {
  const status = accountStatusOf(user);
  return (
    <span className="row">
      <span className="only-desktop">
        <Avatar name={user.username} avatar={user.avatar} />
      </span>
      <span className="names">
        <b className="clip">{user.email ?? user.username}</b>
        <span className="tiny muted">
          {[user.email === null ? "" : user.username, status].filter(Boolean).join(", ")}
        </span>
        <span className="tiny muted">
          Last visit: {user.lastVisitAt === null ? "Long ago" : <Moment at={user.lastVisitAt} />}
        </span>
      </span>
      {user.roles.map((role) => (
        <span className="pill" key={role}>
          {role}
        </span>
      ))}
    </span>
  );
}

function NobodyFound({ search }: { search: string }) {
  return (
    <EmptyState icon="person" title="Nobody found">
      <p>
        {search === "" ? null : <span>{`No email or username contains “${search}”.`}</span>}{" "}
        <Link to="/users">Show everybody</Link>.
      </p>
    </EmptyState>
  );
}

const announcementFields = { title: "text", body: "text", key: "text" } as const;
type AnnouncementRefusal = RefusedForm<typeof announcementFields>;

/** Sends the form's announcement to every user, the sender included. */
export const announce = formAction(announcementFields, async ({ key, ...announcement }, { api, url }) => {
  await api.post("/api/v1/announcements", { announcement }, { headers: { "idempotency-key": key } });
  return url.pathname + url.search;
});

/** For admins: the form of an announcement to all users. It is emptied once it is sent. */
function AnnouncementForm({ formKey }: { formKey: string }) {
  const refusal = useActionData<AnnouncementRefusal>();
  const bind = boundTo(refusal);
  return (
    <Panel title="Tell everybody">
      <Form className="stack body" method="post" ref={useResetAfterSend(refusal)}>
        <CsrfField />
        <input type="hidden" name="key" value={formKey} />
        <Refusal refused={refusal} />
        <Field
          label="Announcement"
          maxLength={ANNOUNCEMENT_TITLE_MAX}
          hint="Everybody reads it among the notifications, guests too."
          {...bind("title")}
        />
        <Field
          label="More about it"
          type="textarea"
          optional
          maxLength={ANNOUNCEMENT_BODY_MAX}
          {...bind("body")}
        />
        <Submit className="btn">Announce</Submit>
      </Form>
    </Panel>
  );
}

function useResetAfterSend(refusal: AnnouncementRefusal | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useNavigation().formMethod === "POST";
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current && !sending && refusal === undefined) form.current?.reset();
    sent.current = sending;
  }, [sending, refusal]);
  return form;
}

type UsersData = {
  page: Deferred<UsersAnswer>;
  search: string;
  role: string;
  order: string;
  /** Idempotency-Key of the next announcement: a form sent twice makes one announcement. */
  formKey: string;
};

/** A page of all users: `?search=ana&role=guest&order=name&page=2`. */
export async function loadUsers(args: LoaderArgs): Promise<UsersData> {
  const { api, url } = args;
  const query = url.searchParams;
  const search = query.get("search")?.trim() ?? "";
  const [role, order] = [query.get("role") ?? "", query.get("order") ?? ""];
  const page = await defer(args, () =>
    api.get("/api/v1/users", {
      query: {
        search: search === "" ? undefined : search,
        role: userGroups.find((group) => group === role),
        order: userOrders.find((each) => each === order),
        page: pageIn(query),
      },
    }),
  );
  return { page, search, role, order, formKey: randomId() };
}
