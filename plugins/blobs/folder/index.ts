/** Keeps blobs as files in the folder of the storage, so that one folder holds all data: `blobs/<organisation>/<two characters>/<key>`. */

import { copyFile, link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BlobFolderTools, type BlobStorePlugin, definePlugin, type World } from "cairn-memory";
import { z } from "zod";
import { blobPathIn, blobStore, told } from "./blobs.ts";
import { blobsIn, halvesIn } from "./files-in.ts";

/** Below the folder of the storage. */
const below = "blobs";

/** A put that is longer under way than this has ended. */
const halfMs = 60 * 60_000;

/** @param folder that of the storage */
export function openBlobs(folder: string, { now }: Pick<World, "now">): BlobStorePlugin {
	const home = join(folder, below);
	const openedAt = now();
	let isFirst = true;
	return {
		name: "folder",
		organisation: (organisation) => blobStore(home, organisation),
		list: () => blobsIn(home),
		maintain: async (signal) => {
			for await (const { path, writtenAt, placedAt } of halvesIn(home)) {
				if (signal.aborted) return;
				const isUnderWay = now().getTime() - writtenAt.getTime() < halfMs && (!isFirst || placedAt >= openedAt);
				if (!isUnderWay) await rm(path, { force: true });
			}
			isFirst = false;
		},
	};
}

const tools: BlobFolderTools = {
	blobStore: "folder",
	copy: async (folder, into, blob) => {
		const [path, target] = [folder, into].map((each) => blobPathIn(join(each, below), blob)) as [string, string];
		if ((await stat(target).catch(() => null)) !== null) return true;
		await mkdir(dirname(target), { recursive: true });
		try {
			// A blob never changes, so a second name for it will do where both are on one file system.
			await link(path, target).catch(() => copyFile(path, target));
			return true;
		} catch (thrown) {
			if ((await stat(path).catch(() => null)) === null) return false;
			throw told(thrown);
		}
	},
	missing: async (folder, blob) => {
		const path = blobPathIn(join(folder, below), blob);
		return (await stat(path).catch(() => null))?.isFile() === true ? null : path;
	},
};

export default definePlugin({
	name: "folder",
	contract: 1,
	configure: (given, { use }) => ({ options: { storage: use.storage, ...given } }),
	blobFolder: tools,
	options: z.strictObject({
		/** In whose folder they lie: the name of a storage, by default of the one that is used. */
		storage: z.string().min(1),
	}),
	// It opens nothing before it is asked, so it does no harm where another blob store is used.
	start: ({ storage }, { folder, world }) => ({ blobStore: [openBlobs(join(dirname(folder), storage.replaceAll(/[^a-z0-9-]/gi, "-")), world)] }),
});
