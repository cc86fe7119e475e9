/** Reads a file of Dropbox as a document: its own bytes, or an export of a document of Paper. */

import { type ConnectorItem, fail, limits, refusalWords } from "cairn-memory";
import { z } from "zod";
import { type Downloaded, type DropboxApi, isRefused, type Refused } from "./api.ts";
import { type DropboxFile, fileSchema, isDocument } from "./entry.ts";
import type { Sharing } from "./sharing.ts";

/** A file may be shared with thousands. */
const sharedWithMax = 100;
/** What reads best of what Paper offers; without these what Dropbox chooses. */
const wantedFormats = ["markdown", "docx", "html"];
const exportSchema = z.object({ export_metadata: z.object({ name: z.string() }), file_metadata: fileSchema });

interface Read {
	readonly file: DropboxFile;
	readonly fileName: string;
	readonly fetched: Downloaded["fetched"];
}

/** Null if it is no longer there. @throws ServiceError `ITEM_REFUSED` */
export async function readFile(id: string, api: DropboxApi, sharing: Sharing): Promise<ConnectorItem | null> {
	const downloaded = await api.download("files/download", { path: id });
	// https://www.dropbox.com/developers/documentation/http/documentation#files-download: what has no bytes of its own is an unsupported file.
	const isExport = isRefused(downloaded) && downloaded.refused.startsWith("unsupported_file");
	const read = isExport ? await exported(id, api) : readDownload(id, downloaded);
	if (read === null) return null;
	const { file, fileName, fetched } = read;
	return {
		key: id,
		content: {
			kind: "file",
			bytes: fetched.bytes,
			fileName: fileName.slice(-limits.fileNameCharactersMax),
			// Dropbox calls everything application/octet-stream; the name tells more.
			claimedMediaType: null,
			charset: null,
			address: addressOf(file),
		},
		title: file.name,
		metadata: await metadataOf(file, sharing),
		containerTag: null,
	};
}

function readDownload(id: string, downloaded: Downloaded | Refused): Read | null {
	if (isRefused(downloaded)) return absentOrRefused(id, downloaded);
	const file = parsed(fileSchema, downloaded);
	return isDocument(file) ? { file, fileName: file.name, fetched: downloaded.fetched } : null;
}

async function exported(id: string, api: DropboxApi): Promise<Read | null> {
	const file = await api.call("files/get_metadata", { path: id }, fileSchema);
	if (isRefused(file)) return absentOrRefused(id, file);
	if (!isDocument(file)) return null;
	const offered = [file.export_info?.export_as ?? "", ...(file.export_info?.export_options ?? [])];
	const format = wantedFormats.find((wanted) => offered.includes(wanted));
	const downloaded = await api.download("files/export", { path: id, ...(format !== undefined && { export_format: format }) });
	if (isRefused(downloaded)) return absentOrRefused(file.name, downloaded);
	const { export_metadata, file_metadata } = parsed(exportSchema, downloaded);
	return { file: file_metadata, fileName: export_metadata.name, fetched: downloaded.fetched };
}

/** @throws ServiceError */
function absentOrRefused(name: string, { refused }: Refused): null {
	if (refused.startsWith("path/not_found") || refused.startsWith("path/not_file")) return null;
	throw fail("ITEM_REFUSED", JSON.stringify(name), refusalWords(refused));
}

function parsed<Schema extends z.ZodType>(schema: Schema, { fetched, result }: Downloaded): z.infer<Schema> {
	const { success, data } = schema.safeParse(result);
	if (success) return data;
	throw fail("ADDRESS_CHANGED", fetched.address.hostname, "its response does not say which file it is");
}

/** The page on which a person sees it, after signing in: Dropbox has no other address of a file that is not shared by a link. */
function addressOf({ path_display }: DropboxFile): string | null {
	if (path_display === undefined) return null;
	return `https://www.dropbox.com/home${path_display.split("/").map(encodeURIComponent).join("/")}`;
}

async function metadataOf(file: DropboxFile, sharing: Sharing): Promise<ConnectorItem["metadata"]> {
	const { path_display, client_modified, server_modified, sharing_info } = file;
	const [{ owners, sharedWith }, modifiedBy] = [await sharing.readers(file), await sharing.modifier(file)];
	const url = addressOf(file);
	return {
		...(modifiedBy !== null && { author: modifiedBy, modifiedBy }),
		...(owners.length > 0 && { owners: owners.slice(0, sharedWithMax).join(", ") }),
		...(sharedWith.length > 0 && { sharedWith: sharedWith.slice(0, sharedWithMax).join(", ") }),
		...(sharing_info?.parent_shared_folder_id !== undefined && { sharedFolder: sharing_info.parent_shared_folder_id }),
		...(client_modified !== undefined && { modifiedAt: client_modified }),
		...(server_modified !== undefined && { updatedAt: server_modified }),
		...(path_display !== undefined && { path: path_display }),
		...(url !== null && { url }),
	};
}
