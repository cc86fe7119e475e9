/** A temporary Cairn without HTTP, in a temporary data folder, to measure search on a collection. */

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
import { fill } from "./fill-store.ts";

export interface Laboratory extends AsyncDisposable {
	readonly parts: Parts;
	/** Adds a collection as a new organisation. */
	readonly fill: (collection: Collection, signal: AbortSignal) => Promise<FilledStore>;
}

export interface FilledStore {
	readonly organisation: OrganisationId;
	/** Ids in the collection, by the id of the stored document; by the id of the stored chunk if a group is one document. */
	readonly collectionIds: ReadonlyMap<string, string>;
	/** The stored document of each group. */
	readonly groupDocuments: ReadonlyMap<string, DocumentId>;
}

/**
 * @param settings say which plugins are used; their data folder is not touched
 * @param storage another one than SQLite in the temporary folder only if its data may be changed
 */
/** Longer than an index waits for changes of an idle store. */
const indexLookMs = 6_000;

export async function openLaboratory(
	config: Config,
	settings: Settings = readSettings({ env: {}, flags: [] }, config.use),
	storage: string = defaultParts.storage,
): Promise<Laboratory> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-eval-"));
	const dispose = () => rm(folder, { recursive: true, force: true });
	try {
		const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
		const plugins = { ...settings.use, storage };
		const booted = await compose({ settings: { ...settings, dataDir: folder, use: plugins }, config, world });
		const { parts } = booted;
		await parts.storage.migrate();
		const ending = new AbortController();
		const feeding = parts.feedIndexes(ending.signal);
		return {
			parts,
			fill: async (collection, signal) => {
				const id = newId<OrganisationId>(world.randomBytes);
				// Indexes are fed for the organisations that are there.
				await parts.storage.accounts.addOrganisation({ id, name: collection.name, slug: id, createdAt: world.now() });
				const filled = await fill(collection, id, parts, signal);
				await indexed(parts, signal);
				return filled;
			},
			[Symbol.asyncDispose]: async () => {
				ending.abort();
				await feeding;
				await booted.stop();
				await dispose();
			},
		};
	} catch (thrown) {
		await dispose();
		throw thrown;
	}
}

/** Waits until listed indexes have what was filled: the first look may be older than that. */
async function indexed({ indexLag, world }: Parts, signal: AbortSignal): Promise<void> {
	if (Object.keys(indexLag()).length === 0) return;
	do await world.sleep(indexLookMs, signal);
	while (Object.values(indexLag()).some((seconds) => seconds > 1));
}
