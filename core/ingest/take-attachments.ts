/** Makes documents of the attachments that extractors find: durably, and each once, even across crashes. */

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
import { distinct, fileNameOf, tidyPath } from "./attachment-path.ts";
import { inheritance } from "./inheritance.ts";
import { receive } from "./receive.ts";

export interface AttachmentTaking {
	readonly take: (attachment: Attachment) => Promise<boolean>;
	/** Removes attachments that an earlier extraction found and this one did not, and warns of refused ones. */
	readonly settle: () => Promise<void>;
}

/** After so many attachments the descendants of the outermost document are counted again: others of it are read at the same time. */
const attachmentsBetweenCounts = 50;
/** Page size of reads. */
const batch = 200;

type Refusal = "deep" | "many" | "large" | "empty" | "unsupported";

const reasons: Readonly<Record<Refusal, string>> = {
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

/** For one reading of one document. */
export function takeAttachments(parent: Document, parts: AttachmentParts, step: Step): AttachmentTaking {
	const { tenant, world } = parts;
	const depth = (parent.content.kind === "file" ? (parent.content.member?.depth ?? 0) : 0) + 1;
	const named = new Set<string>();
	/** Of those that are taken. */
	const paths = new Set<string>();
	const refused = new Map<Refusal, string[]>();
	const descendants = descendantRoom(parent, tenant);
	let known: Promise<ReadonlyMap<string, DocumentId>> | null = null;
	let bytes = 0;

	function refuse(why: Refusal, path: string): false {
		refused.set(why, [...(refused.get(why) ?? []), path]);
		return false;
	}

	return {
		async take(attachment) {
			step.signal.throwIfAborted();
			const { byteLength } = attachment.bytes;
			// Before anything is waited for: several are handed over at once, and each time duplicates have to get the same names.
			const path = distinct(tidyPath(attachment.path), named);
			named.add(path);
			if (byteLength === 0) return refuse("empty", path);
			if (depth > limits.attachmentDepthMax) return refuse("deep", path);
			if (byteLength > limits.fileBytesMax || bytes + byteLength > limits.attachmentBytesMax) return refuse("large", path);
			if (paths.size >= limits.attachmentsMax) return refuse("many", path);
			paths.add(path);
			bytes += byteLength;
			const kind = await unsupportedKind(attachment, parts);
			known ??= knownAttachments(parent, tenant);
			const isFull = kind === null && !(await known).has(path) && (await descendants.isFull(byteLength));
			if (kind !== null || isFull) {
				paths.delete(path);
				bytes -= byteLength;
				return kind === null ? refuse("many", path) : refuse("unsupported", `${path} (${kind})`);
			}
			await put(attachment, { path, depth }, parent, tenant, world);
			return true;
		},
		async settle() {
			step.signal.throwIfAborted();
			for (const [why, names] of refused) {
				const shown = names.slice(0, 10).join(", ");
				step.warn("MEMBERS_REFUSED", `${names.length} files inside were left out, ${reasons[why]}: ${shown}${names.length > 10 ? ", …" : ""}`.slice(0, 1_000));
			}
			for (const [path, id] of await (known ?? knownAttachments(parent, tenant))) if (!paths.has(path)) await remove(id, tenant, world);
		},
	};
}

/** @returns the kind of a file that no extractor reads, so that it becomes no document; null when one does. */
async function unsupportedKind({ bytes, path, claimedMediaType }: Attachment, { extractors, mediaTypes }: AttachmentParts): Promise<string | null> {
	const fileName = fileNameOf(tidyPath(path));
	const mediaType = await mediaTypes.ofBytes(bytes, fileName, claimedMediaType);
	const source: ExtractorSource = { mediaType, charset: null, fileName, address: null, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
	return choose(extractors, mediaType, source) === null ? (mediaTypes.nameOf(mediaType) ?? mediaType) : null;
}

/** Limits the descendants of one outermost document; without it archives in archives would have no limit. */
function descendantRoom(parent: Document, { documents }: TenantStore) {
	const root = { id: rootOf(parent), customId: null };
	let taken = { count: 0, bytes: 0 };
	let looking: Promise<void> | null = null;
	let unseen = Number.POSITIVE_INFINITY;

	async function look(): Promise<void> {
		unseen = 0;
		const { statuses, bytes } = await documents.descendants(root);
		taken = { count: [...statuses.values()].reduce((sum, count) => sum + count, 0), bytes };
	}

	return {
		async isFull(byteLength: number): Promise<boolean> {
			if (unseen >= attachmentsBetweenCounts) looking = look();
			await looking;
			unseen++;
			if (taken.count >= limits.descendantsMax || taken.bytes + byteLength > limits.descendantBytesMax) return true;
			taken = { count: taken.count + 1, bytes: taken.bytes + byteLength };
			return false;
		},
	};
}

interface PlaceInside {
	readonly path: string;
	readonly depth: number;
}

/** The same attachment again changes the same document, and does nothing if it has not changed. */
async function put(attachment: Attachment, { path, depth }: PlaceInside, parent: Document, tenant: TenantStore, world: World): Promise<void> {
	const blob = newId<DocumentId>(world.randomBytes);
	const kept = await tenant.blobs.put(blob, onePiece(attachment.bytes), limits.fileBytesMax);
	const content: FileContent = {
		...{ kind: "file", blob, fileName: fileNameOf(path), claimedMediaType: attachment.claimedMediaType, ...kept },
		member: { parent: parent.id, path, depth },
	};
	try {
		const request = { ...inheritance(parent, path), content, customId: attachmentsPrefix(parent) + path };
		const document = await receive(request, parent.organisation, tenant, world);
		// The document keeps the bytes it had when these are the same.
		const isUnused = document.content.kind !== "file" || document.content.blob !== blob;
		if (isUnused) await tenant.blobs.remove(blob);
	} catch (thrown) {
		await tenant.blobs.remove(blob);
		const isAlone = thrown instanceof ServiceError && thrown.code === "CUSTOM_ID_TAKEN" && (await tenant.documents.tagsOf([parent.id])).size === 0;
		throw isAlone ? fail("DOCUMENT_SUPERSEDED", parent.id) : thrown;
	}
}

/** Attachments of an earlier extraction, by their paths. */
async function knownAttachments(parent: Document, { documents }: TenantStore): Promise<ReadonlyMap<string, DocumentId>> {
	const prefix = attachmentsPrefix(parent);
	const known = new Map<string, DocumentId>();
	for (let last: Document | null = null; ; ) {
		const page: readonly Document[] = await documents.byPrefix(prefix, last, batch);
		for (const { id, customId } of page) known.set(customId?.slice(prefix.length) ?? "", id);
		last = page.at(-1) ?? null;
		if (page.length < batch) return known;
	}
}

async function remove(id: DocumentId, { documents, blobs }: TenantStore, world: World): Promise<void> {
	for (const blob of (await documents.remove(id, world.now())) ?? []) await blobs.remove(blob);
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
