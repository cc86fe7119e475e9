/** A temporary Cairn without HTTP, with real parts, to measure search on a collection. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { createLog } from "../boot/log.ts";
import { createWorld } from "../boot/world.ts";
import { compose } from "../compose.ts";
import { readSettings } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { Collection } from "./collection.ts";
import { fill } from "./fill.ts";

export interface Laboratory extends AsyncDisposable {
	readonly parts: Parts;
	/** Each collection is an organisation of its own. */
	readonly fill: (collection: Collection, signal: AbortSignal) => Promise<Filled>;
}

export interface Filled {
	readonly organisation: OrganisationId;
	/** Collection ids by the id of a document, or of a chunk where a group is one document. */
	readonly idOf: ReadonlyMap<string, string>;
	/** Documents of groups. */
	readonly groups: ReadonlyMap<string, DocumentId>;
}

/** @param settings which parts are used; its data folder is left alone */
export async function openLaboratory(config: Config, settings: Settings = readSettings({ env: {}, flags: [] }, config.use)): Promise<Laboratory> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-eval-"));
	const dispose = () => rm(folder, { recursive: true, force: true });
	try {
		const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
		const use = { ...settings.use, storage: defaultParts.storage };
		const booted = await compose({ settings: { ...settings, dataDir: folder, use }, config, world });
		await booted.parts.storage.migrate();
		return {
			parts: booted.parts,
			fill: (collection, signal) => fill(collection, newId<OrganisationId>(world.randomBytes), booted.parts, signal),
			[Symbol.asyncDispose]: async () => {
				await booted.stop();
				await dispose();
			},
		};
	} catch (thrown) {
		await dispose();
		throw thrown;
	}
}
