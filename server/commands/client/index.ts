/** The commands that talk to a running server, by name. */

import { add } from "./add.ts";
import type { ClientCommand } from "./client-command.ts";
import { connections } from "./connections.ts";
import { containers, forget, keys, status } from "./manage-commands.ts";
import { open } from "./open.ts";
import { orgs } from "./orgs.ts";
import { memories, profile, search } from "./read-commands.ts";
import { watch } from "./watch/index.ts";

export const clientCommands: Readonly<Record<string, ClientCommand>> = {
	add,
	watch,
	search,
	memories,
	profile,
	forget,
	containers,
	connections,
	keys,
	orgs,
	status,
	open,
};
