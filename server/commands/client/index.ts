/** The commands that talk to a running server, by name. */

import { add } from "./add.ts";
import type { ClientCommand } from "./client-command.ts";
import { memories, profile, search } from "./find.ts";
import { containers, forget, keys, status } from "./keep.ts";

export const clientCommands: Readonly<Record<string, ClientCommand>> = { add, search, memories, profile, forget, containers, keys, status };
