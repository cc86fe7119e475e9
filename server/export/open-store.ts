/** The parts over a data folder, without a server: for commands that read or fill it. */

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

export interface OpenStore extends AsyncDisposable {
	readonly parts: Parts;
	/** The organisation of the folder; null where there is none yet. */
	readonly organisation: OrganisationId | null;
	/** The same, made where there is none. It has no key: the first start of a server makes one. */
	readonly ensureOrganisation: () => Promise<OrganisationId>;
}

/** @throws ServiceError `STORAGE_BUSY` where a server has the folder open */
export async function openStore(settings: Settings, config: Config): Promise<OpenStore> {
	const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
	await using opened = new AsyncDisposableStack();
	const { parts, stop } = await compose({ settings, config, world });
	opened.defer(stop);
	const { storage } = parts;
	await storage.migrate(upgradeBackup(settings, config, world));
	await createEmbedderMaintenance(settings, parts).begin();
	const known = (await storage.accounts.organisations())[0]?.id ?? null;
	const open = opened.move();
	return {
		parts,
		organisation: known,
		ensureOrganisation: async () => {
			if (known !== null) return known;
			const id = newId<OrganisationId>(world.randomBytes);
			await storage.accounts.addOrganisation({ id, name: "Default", slug: "default", createdAt: world.now() });
			return id;
		},
		[Symbol.asyncDispose]: () => open.disposeAsync(),
	};
}
