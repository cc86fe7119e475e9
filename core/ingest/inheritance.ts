/** What an attachment inherits from the document around it. */

import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { Metadata } from "../model/metadata.ts";
import type { AddRequest } from "./receive.ts";

export function inheritance(parent: Document, path: string): Omit<AddRequest, "content" | "customId"> {
	const { containerTags, taskType, dreaming, neighbourFilter, writtenBy } = parent;
	return {
		...{ containerTags, taskType, dreaming },
		metadata: { ...inheritedMetadata(parent.metadata), parentId: parent.id, memberPath: path },
		filepath: pathBelow(parent.filepath, path),
		...(neighbourFilter !== null && { neighbourFilter }),
		...(writtenBy !== null && { writtenBy }),
	};
}

/** The parent's metadata without its title, which belongs to the parent alone. */
export function inheritedMetadata({ title: _, ...metadata }: Metadata): Metadata {
	return metadata;
}

/** The path of an attachment below its parent's path; null if the parent has no path. */
export function pathBelow(filepath: string | null, path: string): string | null {
	return filepath === null ? null : `${filepath.replace(/\/$/, "")}/${path}`.slice(0, limits.filepathCharactersMax).toWellFormed();
}
