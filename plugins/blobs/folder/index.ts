/** Stores blobs as files in the storage's folder, so that one folder has all data: `blobs/<organisation>/<two characters>/<key>`. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BlobFolderTools, type BlobStorePlugin, definePlugin, type World } from "cairn-memory";
import { z } from "zod";
import { blobPath } from "../blob-path.ts";
import { asFileError, blobStore, ownerOf } from "./blobs.ts";
import { folderMaker } from "./durable-folder.ts";
import { blobsIn, unfinishedIn } from "./files-in.ts";

/** Name of the folder with all blobs, inside the storage's folder. */
const blobsFolder = "blobs";

/** A file that has been unfinished for longer than this was interrupted. */
const writeMsMax = 60 * 60_000;

/** @param folder of the storage. */
export function openBlobs(folder: string, { now }: Pick<World, "now">): BlobStorePlugin {
	const home = join(folder, blobsFolder);
	const makeFolder = folderMaker(dirname(folder));
	const openedAt = now();
	let isFirst = true;
	return {
		name: "folder",
		organisation: (organisation) => blobStore(home, organisation, makeFolder),
		list: () => blobsIn(home),
		owner: ownerOf(home, makeFolder),
		maintain: async (signal) => {
			for await (const { path, writtenAt, placedAt } of unfinishedIn(home)) {
				if (signal.aborted) return;
				const isBeingWritten = now().getTime() - writtenAt.getTime() < writeMsMax && (!isFirst || placedAt >= openedAt);
				if (!isBeingWritten) await rm(path, { force: true });
			}
			isFirst = false;
		},
	};
}

const folderTools: BlobFolderTools = {
	blobStore: "folder",
	copy: async (folder, into, blob) => {
		const [path, target] = [folder, into].map((root) => join(root, blobsFolder, blobPath(blob))) as [string, string];
		if ((await stat(target).catch(() => null)) !== null) return true;
		await mkdir(dirname(target), { recursive: true });
		try {
			// A blob never changes, so a hard link is enough if both folders are on the same file system.
			await link(path, target).catch(() => copyFile(path, target));
			return true;
		} catch (thrown) {
			if ((await stat(path).catch(() => null)) === null) return false;
			throw asFileError(thrown);
		}
	},
	path: (blob) => `${blobsFolder}/${blobPath(blob)}`,
	missing: async (folder, blob) => {
		const path = join(folder, blobsFolder, blobPath(blob));
		return (await stat(path).catch(() => null))?.isFile() === true ? null : path;
	},
	altered: async (folder, blob) => {
		const path = join(folder, blobsFolder, blobPath(blob));
		if (blob.sha256 === null) return null;
		const hash = createHash("sha256");
		try {
			for await (const piece of createReadStream(path)) hash.update(piece);
		} catch (thrown) {
			// A server may have removed it in the meantime.
			return (thrown as NodeJS.ErrnoException).code === "ENOENT" ? null : path;
		}
		return hash.digest("hex") === blob.sha256 ? null : path;
	},
};

export default definePlugin({
	name: "folder",
	contract: 1,
	configure: (fileOptions, { use }) => ({ options: { storage: use.storage, ...fileOptions } }),
	blobFolder: folderTools,
	options: z.strictObject({
		/** Name of the storage in whose folder the blobs are; by default the storage in use. */
		storage: z.string().min(1),
	}),
	// It opens nothing before its first call, so it does no harm if another blob store is used.
	start: ({ storage }, { folder, world }) => ({ blobStore: [openBlobs(join(dirname(folder), storage.replaceAll(/[^a-z0-9-]/gi, "-")), world)] }),
});
