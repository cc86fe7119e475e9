/** A file as a document: known by the path of the file, so that `cairn add` and `cairn watch` keep one document of it, however often it is sent. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { z } from "zod";
import type { WireApi } from "../../client/wire-api.ts";

/** Shorter than the most that a customId may have. */
const hashCharacters = 32;

const receipt = z.object({ id: z.string(), status: z.string().optional() });
export type Receipt = z.output<typeof receipt>;

export interface FileDocument {
	/** Absolute, without symbolic links. */
	readonly path: string;
	/** Relative to the folder that was named; the rest of the path is not sent. */
	readonly name: string;
	readonly container: string | null;
	readonly metadata?: object;
	/** A document of its own, whatever was sent of this path before. */
	readonly isAnew?: boolean;
}

/** The server changes the document of this path, or keeps it as it is if the file has the same bytes. @throws WireError */
export async function sendFile({ path, name, container, metadata, isAnew = false }: FileDocument, api: WireApi): Promise<Receipt> {
	const form = new FormData();
	if (container !== null) form.append("containerTag", container);
	if (!isAnew) form.append("customId", `watched-${hashOf(path)}`);
	form.append("filepath", `/${name}`);
	if (metadata !== undefined) form.append("metadata", JSON.stringify(metadata));
	form.append("file", Bun.file(path), basename(path));
	return receipt.parse(await api.ask("POST", "/v3/documents/file", form));
}

/** A path is known to the server by its hash alone. */
export function hashOf(path: string): string {
	return createHash("sha256").update(path).digest("base64url").slice(0, hashCharacters);
}
