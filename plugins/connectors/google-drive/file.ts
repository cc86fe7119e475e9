/** A file as Drive lists it, and what of it makes a document. */

import { createHash } from "node:crypto";
import { limits, type Step } from "cairn-memory";
import { z } from "zod";

const person = z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() });

export const fileSchema = z.object({
	id: z.string(),
	name: z.string(),
	mimeType: z.string(),
	trashed: z.boolean().default(false),
	/** Drive names one parent at most; none for a file whose folder the account does not see. */
	parents: z.array(z.string()).default([]),
	/** Only of what lies in a shared drive. */
	driveId: z.string().optional(),
	/** Bytes, as text. Native documents and folders may have none. */
	size: z.string().optional(),
	/** Only of files that have bytes of their own. */
	md5Checksum: z.string().optional(),
	createdTime: z.string().optional(),
	modifiedTime: z.string().optional(),
	webViewLink: z.string().optional(),
	/** None in shared drives. */
	owners: z.array(person).default([]),
	lastModifyingUser: person.optional(),
	/** Only where the account may share the file, and never in shared drives. */
	permissions: z.array(z.object({ type: z.string(), emailAddress: z.string().optional(), domain: z.string().optional() })).default([]),
	shortcutDetails: z.object({ targetId: z.string() }).optional(),
	capabilities: z.object({ canDownload: z.boolean().default(true) }).optional(),
});
export type DriveFile = z.infer<typeof fileSchema> & {
	/** Of a file of which no more is known than the listing needs. */
	readonly briefVersion?: string;
};

export function briefOf(file: DriveFile): DriveFile {
	const { id, mimeType, trashed, driveId, size, shortcutDetails } = file;
	return {
		...{ id, mimeType, trashed, name: "", parents: [], owners: [], permissions: [], briefVersion: versionOf(file) },
		...{ ...(driveId !== undefined && { driveId }), ...(size !== undefined && { size }), ...(shortcutDetails !== undefined && { shortcutDetails }) },
	};
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files; an id alone would be answered without it. */
export const fileFields =
	"id,name,mimeType,trashed,parents,driveId,size,md5Checksum,createdTime,modifiedTime,webViewLink,owners(displayName,emailAddress),lastModifyingUser(displayName,emailAddress),permissions(type,emailAddress,domain),shortcutDetails(targetId),capabilities(canDownload)";

const native = "application/vnd.google-apps.";
const openXml = "application/vnd.openxmlformats-officedocument.";

export interface ExportFormat {
	readonly mimeType: string;
	readonly extension: string;
}

const plainText = { mimeType: "text/plain", extension: "txt" };

/**
 * What native documents are exported as, the best first; the next is for one whose export has more than Drive's 10 MB, mostly because of
 * pictures. https://developers.google.com/workspace/drive/api/guides/ref-export-formats
 *
 * Docs are not exported as Markdown: Drive writes every picture into it as text.
 */
const exportFormats: ReadonlyMap<string, readonly ExportFormat[]> = new Map([
	[`${native}document`, [{ mimeType: `${openXml}wordprocessingml.document`, extension: "docx" }, plainText]],
	[`${native}spreadsheet`, [{ mimeType: `${openXml}spreadsheetml.sheet`, extension: "xlsx" }]],
	[`${native}presentation`, [{ mimeType: `${openXml}presentationml.presentation`, extension: "pptx" }, plainText]],
	[`${native}drawing`, [{ mimeType: "application/pdf", extension: "pdf" }]],
]);

/** Empty for a file that has bytes of its own. */
export function exportFormatsOf({ mimeType }: DriveFile): readonly ExportFormat[] {
	return exportFormats.get(mimeType) ?? [];
}

export function isFolder({ mimeType }: DriveFile): boolean {
	return mimeType === `${native}folder`;
}

export function isShortcut({ mimeType }: DriveFile): boolean {
	return mimeType === `${native}shortcut`;
}

/** Forms, sites, maps and the like can be neither downloaded nor exported; empty and too large files are left out too. */
export function isDocument(file: DriveFile): boolean {
	if (file.trashed) return false;
	if (file.mimeType.startsWith(native)) return exportFormats.has(file.mimeType);
	return Number(file.size ?? 0) > 0 && !isTooLarge(file);
}

/** Whether its own bytes are too many. What an export has is known only afterwards. */
export function isTooLarge({ mimeType, trashed, size }: DriveFile): boolean {
	return !trashed && !mimeType.startsWith(native) && Number(size ?? 0) > limits.fileBytesMax;
}

/** @param count of files that would be documents */
export function warnOfSize(count: number, step: Step): void {
	if (count > 0) step.warn("GOOGLE_DRIVE_FILES_SKIPPED", `${count} files are too large`);
}

/** Changes with the content and with all that a document says of the file. Drive's own `version` changes when somebody only looks at it. */
export function versionOf(file: DriveFile): string {
	if (file.briefVersion !== undefined) return file.briefVersion;
	const { id, parents: _parents, modifiedTime, md5Checksum, ...said } = file;
	return createHash("sha256")
		.update(JSON.stringify([id, md5Checksum ?? modifiedTime ?? "", said]))
		.digest("base64url")
		.slice(0, 22);
}
