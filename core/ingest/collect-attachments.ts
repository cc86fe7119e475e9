/** Makes documents of the attachments that extractors find: durably, and each once, even across crashes. */

import { pagesByPrefix } from "../access/find-document.ts";
import { fail, ServiceError } from "../errors/fail.ts";
import type { FileContent } from "../model/content.ts";
import type { Document } from "../model/document.ts";
import { type DocumentId, newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { attachmentsPrefix, rootOf } from "../model/reserved-custom-ids.ts";
import { choose } from "../plugin/choose.ts";
import type { Attachment, Extractor, ExtractorSource, Step } from "../plugin/contract.ts";
import type { MediaTypes } from "../ports/media-types.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { cleanAttachmentPath, fileNameOf, uniquePath } from "./attachment-path.ts";
import { inheritance } from "./inheritance.ts";
import { isNotStored, receive } from "./receive.ts";

export interface AttachmentCollector {
	readonly collect: (attachment: Attachment) => Promise<boolean>;
	/** Removes attachments that an earlier extraction found and this one did not, and adds warnings for those that were left out. */
	readonly finish: () => Promise<void>;
}

/** After this many attachments the descendants of the outermost document are counted again, since others may be added concurrently. */
const attachmentsPerCount = 50;
/** Page size of reads. */
const batch = 200;

type RefusalReason = "deep" | "many" | "large" | "empty" | "unsupported";

const reasons: Readonly<Record<RefusalReason, string>> = {
	deep: `inside of more than ${limits.attachmentDepthMax} documents`,
	many: `more than ${limits.attachmentsMax} in one document, or ${limits.descendantsMax} in all`,
	large: `larger than ${limits.fileBytesMax} bytes, or than ${limits.attachmentBytesMax} together`,
	empty: "empty",
	unsupported: "of kinds that no extractor reads",
};

export interface AttachmentParts {
	readonly tenant: TenantStore;
	readonly extractors: readonly Extractor[];
	readonly mediaTypes: MediaTypes;
	readonly world: World;
}

/** Creates the collector for one extraction of one document. */
export function collectAttachments(parent: Document, parts: AttachmentParts, step: Step): AttachmentCollector {
	const { tenant, world } = parts;
	const depth = (parent.content.kind === "file" ? (parent.content.member?.depth ?? 0) : 0) + 1;
	const usedPaths = new Set<string>();
	/** The paths of the attachments that become documents. */
	const collectedPaths = new Set<string>();
	const refused = new Map<RefusalReason, string[]>();
	const descendants = descendantLimit(parent, tenant);
	let known: Promise<ReadonlyMap<string, DocumentId>> | null = null;
	let bytes = 0;

	function refuse(reason: RefusalReason, path: string): false {
		refused.set(reason, [...(refused.get(reason) ?? []), path]);
		return false;
	}

	return {
		async collect(attachment) {
			step.signal.throwIfAborted();
			const { byteLength } = attachment.bytes;
			// This must come before the first `await`: calls may be concurrent, and duplicates must get the same names at every extraction.
			const path = uniquePath(cleanAttachmentPath(attachment.path), usedPaths);
			usedPaths.add(path);
			if (byteLength === 0) return refuse("empty", path);
			if (depth > limits.attachmentDepthMax) return refuse("deep", path);
			if (byteLength > limits.fileBytesMax || bytes + byteLength > limits.attachmentBytesMax) return refuse("large", path);
			if (collectedPaths.size >= limits.attachmentsMax) return refuse("many", path);
			collectedPaths.add(path);
			bytes += byteLength;
			const kind = await unsupportedKind(attachment, parts);
			known ??= knownAttachments(parent, tenant);
			const isFull = kind === null && !(await known).has(path) && (await descendants.isFull(byteLength));
			if (kind !== null || isFull) {
				collectedPaths.delete(path);
				bytes -= byteLength;
				return kind === null ? refuse("many", path) : refuse("unsupported", `${path} (${kind})`);
			}
			await put(attachment, { path, depth }, parent, tenant, world);
			return true;
		},
		async finish() {
			step.signal.throwIfAborted();
			for (const [reason, names] of refused) {
				const shown = names.slice(0, 10).join(", ");
				step.warn(
					"MEMBERS_REFUSED",
					`${names.length} files inside were left out, ${reasons[reason]}: ${shown}${names.length > 10 ? ", …" : ""}`.slice(0, 1_000),
				);
			}
			for (const [path, id] of await (known ?? knownAttachments(parent, tenant))) if (!collectedPaths.has(path)) await remove(id, tenant, world);
		},
	};
}

/** @returns the name of the format of a file that no extractor reads, which does not become a document; null if an extractor reads it. */
async function unsupportedKind({ bytes, path, claimedMediaType }: Attachment, { extractors, mediaTypes }: AttachmentParts): Promise<string | null> {
	const fileName = fileNameOf(cleanAttachmentPath(path));
	const mediaType = await mediaTypes.ofBytes(bytes, fileName, claimedMediaType);
	const source: ExtractorSource = { mediaType, charset: null, fileName, address: null, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
	return choose(extractors, mediaType, source) === null ? (mediaTypes.nameOf(mediaType) ?? mediaType) : null;
}

/** Limits the number and size of the descendants of an outermost document, since archives in archives would otherwise have no limit. */
function descendantLimit(parent: Document, { documents }: TenantStore) {
	const root = { id: rootOf(parent), customId: null };
	let descendantsSoFar = { count: 0, bytes: 0 };
	let counting: Promise<void> | null = null;
	let attachmentsSinceCount = Number.POSITIVE_INFINITY;

	async function countDescendants(): Promise<void> {
		attachmentsSinceCount = 0;
		const { statuses, bytes } = await documents.descendants(root);
		descendantsSoFar = { count: [...statuses.values()].reduce((sum, count) => sum + count, 0), bytes };
	}

	return {
		async isFull(byteLength: number): Promise<boolean> {
			if (attachmentsSinceCount >= attachmentsPerCount) counting = countDescendants();
			await counting;
			attachmentsSinceCount++;
			if (descendantsSoFar.count >= limits.descendantsMax || descendantsSoFar.bytes + byteLength > limits.descendantBytesMax) return true;
			descendantsSoFar = { count: descendantsSoFar.count + 1, bytes: descendantsSoFar.bytes + byteLength };
			return false;
		},
	};
}

interface AttachmentPlace {
	readonly path: string;
	readonly depth: number;
}

/** Stores an attachment as a document. If the document exists from an earlier extraction, it is only changed if the content differs. */
async function put(attachment: Attachment, { path, depth }: AttachmentPlace, parent: Document, tenant: TenantStore, world: World): Promise<void> {
	const blob = newId<DocumentId>(world.randomBytes);
	const storedBlob = await tenant.blobs.put(blob, onePiece(attachment.bytes), limits.fileBytesMax);
	const content: FileContent = {
		...{ kind: "file", blob, fileName: fileNameOf(path), claimedMediaType: attachment.claimedMediaType, ...storedBlob },
		member: { parent: parent.id, path, depth },
	};
	try {
		// The task of the parent may have been switched while it is unpacked.
		const [{ taskType } = parent] = await tenant.documents.getMany([parent.id], false);
		const request = { ...inheritance({ ...parent, taskType }, path), content, customId: attachmentsPrefix(parent) + path };
		const document = await receive(request, parent.organisation, tenant, world);
		// If the content is the same, the document keeps its old blob.
		const isUnused = document.content.kind !== "file" || document.content.blob !== blob;
		if (isUnused) await tenant.blobs.remove(blob);
	} catch (thrown) {
		if (isNotStored(thrown)) await tenant.blobs.remove(blob);
		const isParentGone = thrown instanceof ServiceError && thrown.code === "CUSTOM_ID_TAKEN" && (await tenant.documents.tagsOf([parent.id])).size === 0;
		throw isParentGone ? fail("DOCUMENT_SUPERSEDED", parent.id) : thrown;
	}
}

/** The documents of attachments that an earlier extraction found, by path. */
async function knownAttachments(parent: Document, { documents }: TenantStore): Promise<ReadonlyMap<string, DocumentId>> {
	const prefix = attachmentsPrefix(parent);
	const known = new Map<string, DocumentId>();
	for await (const page of pagesByPrefix(prefix, batch, documents)) for (const { id, customId } of page) known.set(customId?.slice(prefix.length) ?? "", id);
	return known;
}

async function remove(id: DocumentId, { documents, blobs }: TenantStore, world: World): Promise<void> {
	for (const blob of (await documents.remove(id, world.now())) ?? []) await blobs.remove(blob);
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
