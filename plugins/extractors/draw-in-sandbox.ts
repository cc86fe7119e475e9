/** Draws a page of a file in the sandbox. */

import { type Extractor, type Host, limits } from "cairn-memory";
import type { PageInput, PagePicture } from "../formats/pdf/page-picture.ts";
import { bytesOf } from "./read-in-sandbox.ts";

/** Somebody waits for the picture. A page takes a tenth of a second, a scanned poster two. */
const bounds = { timeoutMs: 20_000, memoryMb: limits.extractMemoryMb, outputBytesMax: 20_000_000 };

export function pageDrawer({ sandbox }: Host, engine: URL): NonNullable<Extractor["drawPage"]> {
	return async (source, wanted, { signal }) => {
		const input = { bytes: await bytesOf(source), mediaType: source.mediaType, wanted };
		return await sandbox.run<PageInput, PagePicture>({ engine, input, signal, ...bounds });
	};
}
