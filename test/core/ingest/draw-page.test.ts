/** Pages that were drawn are kept, and never shown to another organisation. */

import { expect, test } from "bun:test";
import { asId, type BlobStore, type Extractor, type OrganisationId } from "cairn-memory";
import type { Document } from "cairn-memory/stores";
import { createDrawPage } from "../../../core/ingest/draw-page.ts";
import { createMediaTypes } from "../../../server/boot/media-types.ts";
import { createTestWorld } from "../../doubles/world.ts";

test("a picture is drawn once, and anew for another organisation, whose document may have the same id", async () => {
	const drawn: string[] = [];
	const extractor: Pick<Extractor, "accepts" | "drawPage"> = {
		accepts: ["text/plain"],
		drawPage: async (source) => {
			const bytes = await source.bytes();
			drawn.push(new TextDecoder().decode(bytes));
			return { bytes, mediaType: "image/jpeg", width: 1, height: 1, pages: 1 };
		},
	};
	const extractors = [extractor as Extractor];
	const drawPage = createDrawPage({ extractors, mediaTypes: createMediaTypes(extractors, new Set()), world: createTestWorld() });
	const content = { kind: "file", blob: "one", fileName: "one.txt", claimedMediaType: "text/plain" } as const;
	const documentOf = (organisation: string) => ({ organisation: asId<OrganisationId>(organisation), id: "same", revision: 1, content }) as unknown as Document;
	const blobsOf = (text: string) => ({ get: async () => new TextEncoder().encode(text) }) as unknown as BlobStore;
	const shown = async (organisation: string) => {
		const { bytes } = await drawPage(documentOf(organisation), blobsOf(`what ${organisation} keeps`), { page: 1, width: 100 });
		return new TextDecoder().decode(bytes);
	};
	expect([await shown("harbour"), await shown("harbour"), await shown("island")]).toEqual(["what harbour keeps", "what harbour keeps", "what island keeps"]);
	expect(drawn).toEqual(["what harbour keeps", "what island keeps"]);
});
