/** An entry of a folder as Dropbox tells it, and what of it makes a document. https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder */

import { createHash } from "node:crypto";
import { limits } from "cairn-memory";
import { z } from "zod";

export const fileSchema = z.object({
	".tag": z.literal("file").default("file"),
	id: z.string(),
	name: z.string(),
	/** Absent where the account has not mounted the folder in which the file lies. */
	path_lower: z.string().optional(),
	path_display: z.string().optional(),
	client_modified: z.string().optional(),
	server_modified: z.string().optional(),
	rev: z.string(),
	size: z.number().default(0),
	/** Of bytes of its own only. https://www.dropbox.com/developers/reference/content-hash */
	content_hash: z.string().optional(),
	/** False for documents of Paper and the like, which are exported. */
	is_downloadable: z.boolean().default(true),
	export_info: z.object({ export_as: z.string().nullish(), export_options: z.array(z.string()).nullish() }).nullish(),
	/** In shared folders only. */
	sharing_info: z
		.object({ read_only: z.boolean().default(false), parent_shared_folder_id: z.string().optional(), modified_by: z.string().nullish() })
		.nullish(),
	symlink_info: z.object({}).nullish(),
});
export type DropboxFile = z.infer<typeof fileSchema>;

const folderSchema = z.object({
	".tag": z.literal("folder"),
	id: z.string(),
	name: z.string(),
	path_lower: z.string().optional(),
	path_display: z.string().optional(),
});
const deletedSchema = z.object({ ".tag": z.literal("deleted"), name: z.string(), path_lower: z.string().optional() });

export const entrySchema = z.union([fileSchema.extend({ ".tag": z.literal("file") }), folderSchema, deletedSchema, z.object({ ".tag": z.string() })]);
export type DropboxEntry = z.infer<typeof entrySchema>;

export function isFileEntry(entry: DropboxEntry): entry is DropboxFile & { ".tag": "file" } {
	return entry[".tag"] === "file" && "rev" in entry;
}

export function isFolderEntry(entry: DropboxEntry): entry is z.infer<typeof folderSchema> {
	return entry[".tag"] === "folder" && "id" in entry;
}

/** Whether its own bytes are too many. What an export has is known only afterwards. */
export function isTooLarge({ is_downloadable, size }: DropboxFile): boolean {
	return is_downloadable && size > limits.fileBytesMax;
}

/** Empty files, symbolic links, and what can be neither downloaded nor exported are left out. */
export function isDocument(file: DropboxFile): boolean {
	if (file.symlink_info !== undefined && file.symlink_info !== null) return false;
	if (!file.is_downloadable) return Boolean(file.export_info?.export_as) || (file.export_info?.export_options ?? []).length > 0;
	return file.size > 0 && !isTooLarge(file);
}

/** Changes with the content, the name and the folder. A revision changes for a file without bytes of its own. */
export function versionOf({ id, content_hash, rev, path_display, sharing_info }: DropboxFile): string {
	return createHash("sha256")
		.update(JSON.stringify([id, content_hash ?? rev, path_display ?? "", sharing_info?.parent_shared_folder_id ?? ""]))
		.digest("base64url")
		.slice(0, 22);
}
