/** The commands that talk to a running server, by name. */

import { add } from "./add.ts";
import type { ClientCommand } from "./client-command.ts";
import { containers, forget, keys, status } from "./manage-commands.ts";
import { memories, profile, search } from "./read-commands.ts";

export const clientCommands: Readonly<Record<string, ClientCommand>> = { add, search, memories, profile, forget, containers, keys, status };
