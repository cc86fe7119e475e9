/** An item of a drive as Microsoft Graph tells it, and what of it makes a document. https://learn.microsoft.com/graph/api/resources/driveitem */

import { createHash } from "node:crypto";
import { limits } from "cairn-memory";
import { z } from "zod";

const identity = z.object({ user: z.object({ displayName: z.string().optional(), email: z.string().optional() }).optional() });
const facet = z.object({}).nullish();

export const itemSchema = z.object({
	id: z.string(),
	/** Not told of a deleted item of a business drive. */
	name: z.string().default(""),
	eTag: z.string().optional(),
	size: z.number().optional(),
	file: z.object({ mimeType: z.string().optional() }).nullish(),
	folder: facet,
	/** Notebooks of OneNote are neither files nor folders. */
	package: z.object({ type: z.string().optional() }).nullish(),
	root: facet,
	deleted: facet,
	malware: facet,
	/** A shortcut to a folder of somebody else's drive. */
	remoteItem: facet,
	parentReference: z.object({ id: z.string().optional(), driveId: z.string().optional() }).optional(),
	shared: z.object({ scope: z.string().optional() }).nullish(),
	createdBy: identity.optional(),
	lastModifiedBy: identity.optional(),
	createdDateTime: z.string().optional(),
	lastModifiedDateTime: z.string().optional(),
	webUrl: z.string().optional(),
	"@microsoft.graph.downloadUrl": z.string().optional(),
});
export type DriveItem = z.infer<typeof itemSchema>;

export function has(value: object | null | undefined): boolean {
	return value !== null && value !== undefined;
}

export function isFile(item: DriveItem): boolean {
	return has(item.file) && !has(item.package) && !has(item.deleted) && !has(item.remoteItem);
}

export function isTooLarge({ size = 0 }: DriveItem): boolean {
	return size > limits.fileBytesMax;
}

/** Empty files and those that Microsoft has found malware in are left out too. */
export function isDocument(item: DriveItem): boolean {
	return isFile(item) && !has(item.malware) && (item.size ?? 0) > 0 && !isTooLarge(item);
}

/**
 * Changes with the content, the name, the folder and whom it is shared with. `eTag` stands for content and metadata; delta queries leave
 * `cTag` out. https://learn.microsoft.com/graph/api/driveitem-delta#remarks
 */
export function versionOf({ id, eTag, name, size, lastModifiedDateTime, parentReference, shared }: DriveItem): string {
	return createHash("sha256")
		.update(JSON.stringify([id, eTag ?? lastModifiedDateTime ?? "", name, size ?? 0, parentReference?.id ?? "", shared?.scope ?? ""]))
		.digest("base64url")
		.slice(0, 22);
}
