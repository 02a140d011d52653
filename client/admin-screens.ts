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
import type { ScreenInChunk } from "./handle.ts";
import { announce } from "./notifications/announce.ts";
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

/** The screens of admins and operators, with their data and forms, in a chunk that players never load. */
export const adminScreens = {
  BlueprintScreen: { Component: BlueprintScreen, loader: loadBlueprint, action: actOnBlueprint },
  BlueprintsScreen: { Component: BlueprintsScreen, loader: loadBlueprints },
  BooksScreen: { Component: BooksScreen, loader: loadBooks, action: actOnBooks },
  EditBlueprintScreen: {
    Component: EditBlueprintScreen,
    loader: loadEditedBlueprint,
    action: changeBlueprint,
  },
  NewBlueprintScreen: { Component: NewBlueprintScreen, loader: loadNewBlueprint, action: createBlueprint },
  EditSessionScreen: { Component: EditSessionScreen, loader: loadEditedSession, action: changeSession },
  ShowScreen: { Component: ShowScreen, loader: loadShow, action: actOnShow },
  NewSessionScreen: { Component: NewSessionScreen, action: createSession },
  UserScreen: { Component: UserScreen, loader: loadUser, action: actOnUser },
  UsersScreen: { Component: UsersScreen, loader: loadUsers, action: announce },
} satisfies Record<string, ScreenInChunk>;
