import "#client/styles/admin.css";
import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { loadBlueprint, loadEditedBlueprint, loadNewBlueprint } from "#client/blueprints/load-blueprint.ts";
import {
  AccessTokensScreen,
  actOnAccessTokens,
  loadAccessTokens,
} from "#client/screens/access-tokens/access-tokens-screen.tsx";
import { AuditScreen, loadAudit } from "#client/screens/audit/audit-screen.tsx";
import { actOnBlueprint } from "#client/screens/blueprints/act-on-blueprint.ts";
import { BlueprintScreen } from "#client/screens/blueprints/blueprint-screen.tsx";
import { BlueprintsScreen, loadBlueprints } from "#client/screens/blueprints/blueprints-screen.tsx";
import { changeBlueprint } from "#client/screens/blueprints/change-blueprint.ts";
import { EditBlueprintScreen } from "#client/screens/blueprints/edit-blueprint-screen.tsx";
import { createBlueprint, NewBlueprintScreen } from "#client/screens/blueprints/new-blueprint-screen.tsx";
import { actOnBooks } from "#client/screens/books/act-on-books.ts";
import { BooksScreen, loadBooks } from "#client/screens/books/books-screen.tsx";
import { DryRunScreen, actOnDryRun, loadDryRun } from "#client/screens/dry-run/dry-run-screen.tsx";
import {
  OperationsScreen,
  actOnOperations,
  loadOperations,
} from "#client/screens/operations/operations-screen.tsx";
import { actOnSeasons, loadSeasons, SeasonsScreen } from "#client/screens/seasons/seasons-screen.tsx";
import { createSession } from "#client/screens/session-form/create-session.ts";
import {
  changeSession,
  EditSessionScreen,
  loadEditedSession,
  NewSessionScreen,
} from "#client/screens/session-form/edit-session-screen.tsx";
import { DockScreen } from "#client/screens/show/dock/dock-screen.tsx";
import { loadShow } from "#client/screens/show/running/show-state.ts";
import { actOnShow, ShowScreen } from "#client/screens/show/show-screen.tsx";
import { actOnUser } from "#client/screens/users/manage-account.tsx";
import { loadUser, UserScreen } from "#client/screens/users/user-screen.tsx";
import { announce, loadUsers, UsersScreen } from "#client/screens/users/users-screen.tsx";
import { actOnWebhooks } from "#client/screens/webhooks/add-webhook.tsx";
import { loadWebhooks, WebhooksScreen } from "#client/screens/webhooks/webhooks-screen.tsx";
import { forHosts } from "#client/ui/for-hosts.ts";

/** The screens of admins and operators, with their data and forms, in a chunk that players never load. */
export const adminScreens = {
  AccessTokensScreen: { Component: AccessTokensScreen, loader: loadAccessTokens, action: actOnAccessTokens },
  AuditScreen: { Component: AuditScreen, loader: loadAudit },
  BlueprintScreen: { Component: BlueprintScreen, loader: loadBlueprint, action: actOnBlueprint },
  BlueprintsScreen: { Component: BlueprintsScreen, loader: loadBlueprints },
  BooksScreen: { Component: BooksScreen, loader: loadBooks, action: actOnBooks },
  DockScreen: { Component: DockScreen },
  DryRunScreen: { Component: DryRunScreen, loader: loadDryRun, action: actOnDryRun },
  EditBlueprintScreen: {
    Component: EditBlueprintScreen,
    loader: loadEditedBlueprint,
    action: changeBlueprint,
  },
  NewBlueprintScreen: { Component: NewBlueprintScreen, loader: loadNewBlueprint, action: createBlueprint },
  EditSessionScreen: {
    Component: EditSessionScreen,
    loader: forHosts(loadEditedSession),
    action: changeSession,
  },
  OperationsScreen: { Component: OperationsScreen, loader: loadOperations, action: actOnOperations },
  SeasonsScreen: { Component: SeasonsScreen, loader: loadSeasons, action: actOnSeasons },
  ShowScreen: { Component: ShowScreen, loader: forHosts(loadShow), action: actOnShow },
  NewSessionScreen: { Component: NewSessionScreen, action: createSession },
  UserScreen: { Component: UserScreen, loader: loadUser, action: actOnUser },
  WebhooksScreen: { Component: WebhooksScreen, loader: loadWebhooks, action: actOnWebhooks },
  UsersScreen: { Component: UsersScreen, loader: loadUsers, action: announce },
} satisfies Record<string, ScreenInChunk>;
