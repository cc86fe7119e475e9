/** Opens a data folder without starting a server, for commands that read or write it. */

import type { OrganisationId } from "../../core/model/id.ts";
import { newId } from "../../core/model/id.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import { upgradeBackup } from "../backup/upgrade-backup.ts";
import { createLog } from "../boot/log.ts";
import { createEmbedderMaintenance } from "../boot/maintain-embedders.ts";
import { createWorld } from "../boot/world.ts";
import { compose } from "../compose.ts";
import type { Settings } from "../settings/settings.ts";
import { findOrganisation } from "./find-organisation.ts";

export interface OpenStore extends AsyncDisposable {
	readonly parts: Parts;
	/** The organisation that was asked for, else the first one; null if there is none yet. */
	readonly organisation: OrganisationId | null;
	/** The names of the others. */
	readonly others: readonly string[];
	/** Returns that organisation, or adds the first one. A new one has no API key; the first start of a server makes it. */
	readonly ensureOrganisation: () => Promise<OrganisationId>;
}

/**
 * @param organisation the id or name of one; null for the first one
 * @throws ServiceError `STORAGE_BUSY` if a server has the folder open, `COMMAND_INVALID` if there is no such organisation
 */
export async function openStore(settings: Settings, config: Config, organisation: string | null = null): Promise<OpenStore> {
	const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
	await using stack = new AsyncDisposableStack();
	const { parts, stop } = await compose({ settings, config, world });
	stack.defer(stop);
	const { storage } = parts;
	await storage.migrate(upgradeBackup(settings, config, world));
	await createEmbedderMaintenance(settings, parts).begin();
	const all = await storage.accounts.organisations();
	const existing = findOrganisation(all, organisation)?.id ?? null;
	const resources = stack.move();
	return {
		parts,
		organisation: existing,
		others: all.filter(({ id }) => id !== existing).map(({ name }) => name),
		ensureOrganisation: async () => {
			if (existing !== null) return existing;
			const id = newId<OrganisationId>(world.randomBytes);
			await storage.accounts.addOrganisation({ id, name: "Default", slug: "default", createdAt: world.now() });
			return id;
		},
		[Symbol.asyncDispose]: () => resources.disposeAsync(),
	};
}
