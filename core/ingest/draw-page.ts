/** Draws a page of an uploaded file as a picture. Pictures are kept for some minutes, because people turn pages back and forth. */

import { fail } from "../errors/fail.ts";
import { createSemaphore } from "../language/semaphore.ts";
import { createStep } from "../language/step.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import { choose } from "../plugin/choose.ts";
import type { PagePicture, WantedPage } from "../plugin/contract.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { openContent } from "./extract.ts";

/**
 * The caller has found the document in its tenant, so that nobody sees a page of a document that is out of reach.
 * @throws ServiceError `FILE_NONE`, `PAGES_NONE`, `PAGE_MISSING`, and what the extractor throws
 */
export type DrawPage = (document: Document, blobs: BlobStore, wanted: WantedPage) => Promise<PagePicture>;

interface Kept {
	readonly picture: Promise<PagePicture>;
	readonly sinceMs: number;
	/** 0 until it is drawn. */
	byteLength: number;
}

export function createDrawPage({ extractors, mediaTypes, world }: Pick<Parts, "extractors" | "mediaTypes" | "world">): DrawPage {
	const atOnce = createSemaphore(limits.pagesDrawnAtOnceMax);
	/** In the order in which they were asked for. */
	const kept = new Map<string, Kept>();

	async function draw(document: Document, blobs: BlobStore, wanted: WantedPage, signal: AbortSignal): Promise<PagePicture> {
		if (document.content.kind !== "file") throw fail("FILE_NONE");
		const source = await openContent(document.content, { blobs, mediaTypes });
		const extractor = choose(extractors, source.mediaType, source);
		if (extractor?.drawPage === undefined) throw fail("PAGES_NONE", mediaTypes.nameOf(source.mediaType) ?? source.mediaType);
		return await extractor.drawPage(source, wanted, createStep(world, signal));
	}

	/** The time limit includes the wait for others. */
	async function drawInTurn(document: Document, blobs: BlobStore, wanted: WantedPage): Promise<PagePicture> {
		const signal = AbortSignal.timeout(limits.pageTimeoutMs);
		try {
			return await atOnce(signal, () => draw(document, blobs, wanted, signal));
		} catch (thrown) {
			throw signal.aborted ? fail("PROCESS_UNAVAILABLE", "too many pages are waiting").because(thrown) : thrown;
		}
	}

	/** Drops what is too old, and the oldest of what is too much. */
	function sweep(): void {
		let bytes = [...kept.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
		for (const [key, { byteLength, sinceMs }] of kept) {
			if (bytes <= limits.pagesKeptBytesMax && world.elapsedMs() - sinceMs < limits.pagesKeptMs) return;
			kept.delete(key);
			bytes -= byteLength;
		}
	}

	function keep(key: string, picture: Promise<PagePicture>): Promise<PagePicture> {
		const entry: Kept = { picture, sinceMs: world.elapsedMs(), byteLength: 0 };
		kept.set(key, entry);
		picture.then(
			({ bytes }) => {
				entry.byteLength = bytes.byteLength;
				sweep();
			},
			() => kept.get(key) === entry && kept.delete(key),
		);
		return picture;
	}

	return (document, blobs, wanted) => {
		sweep();
		// Two organisations may have a document with one id: an import keeps the ids.
		const key = `${document.organisation} ${document.id} ${document.revision} ${wanted.page} ${wanted.width}`;
		return kept.get(key)?.picture ?? keep(key, drawInTurn(document, blobs, wanted));
	};
}
