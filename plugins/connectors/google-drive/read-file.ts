/** Reads a file of Drive as a document: its own bytes, or an export of a native document. */

import { type ConnectorItem, type Fetched, fail, limits, ServiceError } from "cairn-memory";
import { exportTooLarge, type GoogleApi } from "../google-api.ts";
import { type DriveFile, type ExportFormat, exportFormatsOf } from "./file.ts";

/** A file may be shared with thousands. */
const sharedWithMax = 100;

/** Null if it is no longer there. @throws ServiceError `ITEM_REFUSED` if its owner does not let it be downloaded, or it is too large to be exported */
export async function readFile(file: DriveFile, api: GoogleApi): Promise<ConnectorItem | null> {
	if (file.capabilities?.canDownload === false) throw fail("ITEM_REFUSED", JSON.stringify(file.name), "its owner does not let readers download it");
	const formats = exportFormatsOf(file);
	const read = formats.length === 0 ? await download(file, api) : await exported(file, formats, api);
	if (read === null) return null;
	const { bytes, mimeType, fileName } = read;
	return {
		key: file.id,
		content: {
			kind: "file",
			bytes,
			fileName: fileName.slice(-limits.fileNameCharactersMax),
			claimedMediaType: mimeType,
			charset: null,
			address: file.webViewLink ?? null,
		},
		title: file.name,
		metadata: metadataOf(file),
		containerTag: null,
	};
}

interface Read {
	readonly bytes: Uint8Array;
	readonly mimeType: Fetched["claimedMediaType"];
	readonly fileName: string;
}

async function download(file: DriveFile, api: GoogleApi): Promise<Read | null> {
	const fetched = await named(file, api.bytes(`/files/${file.id}`, { alt: "media", supportsAllDrives: true }));
	return fetched === null ? null : { bytes: fetched.bytes, mimeType: fetched.claimedMediaType, fileName: file.name };
}

async function exported(file: DriveFile, formats: readonly ExportFormat[], api: GoogleApi): Promise<Read | null> {
	let refusal: unknown = null;
	for (const { mimeType, extension } of formats) {
		try {
			const fetched = await named(file, api.bytes(`/files/${file.id}/export`, { mimeType }));
			return fetched === null ? null : { bytes: fetched.bytes, mimeType: fetched.claimedMediaType, fileName: `${file.name}.${extension}` };
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.args[1] !== exportTooLarge) throw thrown;
			refusal = fail("ITEM_REFUSED", JSON.stringify(file.name), "Google exports at most 10 MB");
		}
	}
	throw refusal;
}

/** The same, with a refusal that names the file. */
async function named<Answer>(file: DriveFile, answer: Promise<Answer>): Promise<Answer> {
	try {
		return await answer;
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code !== "ITEM_REFUSED") throw thrown;
		throw fail("ITEM_REFUSED", JSON.stringify(file.name), String(thrown.args[1]));
	}
}

function metadataOf({ owners, lastModifyingUser, permissions, createdTime, modifiedTime, webViewLink, driveId }: DriveFile): ConnectorItem["metadata"] {
	const author = owners[0]?.displayName ?? lastModifyingUser?.displayName;
	const ownerAddresses = owners.flatMap(({ emailAddress }) => emailAddress ?? []);
	const readers = permissions.map(({ type, emailAddress, domain }) => emailAddress ?? domain ?? type);
	const sharedWith = [...new Set(readers)].filter((reader) => !ownerAddresses.includes(reader)).slice(0, sharedWithMax);
	return {
		...(author !== undefined && { author }),
		...(ownerAddresses.length > 0 && { owners: ownerAddresses.join(", ") }),
		...(sharedWith.length > 0 && { sharedWith: sharedWith.join(", ") }),
		...(lastModifyingUser?.emailAddress !== undefined && { modifiedBy: lastModifyingUser.emailAddress }),
		...(driveId !== undefined && { sharedDrive: driveId }),
		...(createdTime !== undefined && { createdAt: createdTime }),
		...(modifiedTime !== undefined && { updatedAt: modifiedTime }),
		...(webViewLink !== undefined && { url: webViewLink }),
	};
}
