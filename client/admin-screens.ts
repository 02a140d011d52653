import { AccessTokensScreen } from "./access-tokens/access-tokens-screen.tsx";
import { actOnAccessTokens } from "./access-tokens/act-on-access-tokens.ts";
import { loadAccessTokens } from "./access-tokens/load-access-tokens.ts";
import { actOnBlueprint } from "./blueprints/act-on-blueprint.ts";
import { BlueprintScreen } from "./blueprints/blueprint-screen.tsx";
import { BlueprintsScreen } from "./blueprints/blueprints-screen.tsx";
import { changeBlueprint } from "./blueprints/change-blueprint.ts";
import { createBlueprint } from "./blueprints/create-blueprint.ts";
import { EditBlueprintScreen } from "./blueprints/edit-blueprint-screen.tsx";
import { loadBlueprint, loadEditedBlueprint, loadNewBlueprint } from "./blueprints/load-blueprint.ts";
import { loadBlueprints } from "./blueprints/load-blueprints.ts";
import { NewBlueprintScreen } from "./blueprints/new-blueprint-screen.tsx";
import { actOnBooks } from "./books/act-on-books.ts";
import { BooksScreen } from "./books/books-screen.tsx";
import { loadBooks } from "./books/load-books.ts";
import { actOnDryRun } from "./dry-run/act-on-dry-run.ts";
import { DryRunScreen } from "./dry-run/dry-run-screen.tsx";
import { loadDryRun } from "./dry-run/load-dry-run.ts";
import type { ScreenInChunk } from "./handle.ts";
import { announce } from "./notifications/announce.ts";
import { actOnOperations } from "./operations/act-on-operations.ts";
import { loadOperations } from "./operations/load-operations.ts";
import { OperationsScreen } from "./operations/operations-screen.tsx";
import { changeSession } from "./sessions/change-session.ts";
import { createSession } from "./sessions/create-session.ts";
import { EditSessionScreen } from "./sessions/edit-session-screen.tsx";
import { loadEditedSession } from "./sessions/load-edited-session.ts";
import { NewSessionScreen } from "./sessions/new-session-screen.tsx";
import { actOnShow } from "./show/act-on-show.ts";
import { loadShow } from "./show/load-show.ts";
import { ShowScreen } from "./show/show-screen.tsx";
import { actOnUser } from "./users/act-on-user.ts";
import { loadUser } from "./users/load-user.ts";
import { loadUsers } from "./users/load-users.ts";
import { UserScreen } from "./users/user-screen.tsx";
import { UsersScreen } from "./users/users-screen.tsx";
import { actOnWebhooks } from "./webhooks/act-on-webhooks.ts";
import { loadWebhooks } from "./webhooks/load-webhooks.ts";
import { WebhooksScreen } from "./webhooks/webhooks-screen.tsx";

/** The screens of admins and operators, with their data and forms, in a chunk that players never load. */
export const adminScreens = {
  AccessTokensScreen: { Component: AccessTokensScreen, loader: loadAccessTokens, action: actOnAccessTokens },
  BlueprintScreen: { Component: BlueprintScreen, loader: loadBlueprint, action: actOnBlueprint },
  BlueprintsScreen: { Component: BlueprintsScreen, loader: loadBlueprints },
  BooksScreen: { Component: BooksScreen, loader: loadBooks, action: actOnBooks },
  DryRunScreen: { Component: DryRunScreen, loader: loadDryRun, action: actOnDryRun },
  EditBlueprintScreen: {
    Component: EditBlueprintScreen,
    loader: loadEditedBlueprint,
    action: changeBlueprint,
  },
  NewBlueprintScreen: { Component: NewBlueprintScreen, loader: loadNewBlueprint, action: createBlueprint },
  EditSessionScreen: { Component: EditSessionScreen, loader: loadEditedSession, action: changeSession },
  OperationsScreen: { Component: OperationsScreen, loader: loadOperations, action: actOnOperations },
  ShowScreen: { Component: ShowScreen, loader: loadShow, action: actOnShow },
  NewSessionScreen: { Component: NewSessionScreen, action: createSession },
  UserScreen: { Component: UserScreen, loader: loadUser, action: actOnUser },
  WebhooksScreen: { Component: WebhooksScreen, loader: loadWebhooks, action: actOnWebhooks },
  UsersScreen: { Component: UsersScreen, loader: loadUsers, action: announce },
} satisfies Record<string, ScreenInChunk>;
