import { Form, Link, useLoaderData, useNavigation } from "react-router";
import { Avatar } from "#client/ui/avatar.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { SearchInput } from "#client/ui/search-input.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { EMAIL_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { SEARCH_FOUND_MAX } from "#src/profiles/contract.ts";
import type { UserRow, UsersAnswer } from "#src/profiles/schemas.ts";
import { accountStatusOf } from "./account-status.ts";
import { AnnouncementForm } from "./announcement-form.tsx";
import type { UsersData } from "./load-users.ts";
import * as texts from "./users-texts.ts";

/** For admins: all users, page by page. */
export function UsersScreen() {
  const { page, formKey, ...asked } = useLoaderData<UsersData>();
  return (
    <PageLayout title={frame.users}>
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
        <p className="small ink2">{texts.moreMatchesHint(SEARCH_FOUND_MAX)}</p>
      ) : null}
      <Pagination meta={meta} />
    </>
  );
}

type Asked = Pick<UsersData, "search" | "role" | "order">;

function Search({ search, role, order }: Asked) {
  return (
    <Form className="row wrap search" role="search">
      <Select label={texts.show} name="role" value={role} options={texts.groups} />
      <Select label={texts.order} name="order" value={order} options={texts.orders} />
      <span className="row grow">
        <SearchInput
          search={search}
          placeholder={texts.emailOrUsername}
          label={texts.searchUsers}
          maxLength={EMAIL_LENGTH_MAX}
          button={texts.search}
        />
      </span>
    </Form>
  );
}

type SelectProps = { label: string; name: string; value: string; options: Readonly<Record<string, string>> };

function Select({ label, name, value, options }: SelectProps) {
  return (
    <select className="input" name={name} key={value} defaultValue={value} aria-label={label}>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

const columns: readonly Column<UserRow>[] = [
  { head: texts.id, cell: ({ id }) => id, cellClass: "num muted" },
  { head: texts.email, cell: (user) => <Account user={user} /> },
  {
    head: texts.actions,
    cell: ({ id, email, username }) => (
      <Link className="btn sm" to={`/users/${id}`}>
        {texts.view}
        <span className="vh">: {email ?? username}</span>
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
        {texts.loading}
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
          {texts.lastVisit}: <LastVisit user={user} />
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

function LastVisit({ user: { lastVisitAt } }: { user: UserRow }) {
  return lastVisitAt === null ? texts.longAgo : <Moment at={lastVisitAt} />;
}

function NobodyFound({ search }: { search: string }) {
  return (
    <EmptyState icon="person" title={texts.nobodyFound}>
      <p>
        {search === "" ? null : <span>{texts.nobodyFoundHint(search)}</span>}{" "}
        <Link to="/users">{texts.showEverybody}</Link>.
      </p>
    </EmptyState>
  );
}
