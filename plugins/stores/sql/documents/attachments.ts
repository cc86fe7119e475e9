/** Finds the attachments of documents by the prefix of their customIds, see `attachmentsPrefix`. */

import { asId } from "cairn-memory";
import { attachmentsPrefix, type DocumentId, parentOf } from "cairn-memory/stores";
import type { Executor } from "../executor.ts";
import { behindPrefix } from "../scopes/scope-sql.ts";
import type { DocumentKey } from "./document-operations.ts";

interface FoundAttachments {
	readonly id: string;
	readonly customId: string | null;
}

export interface AttachmentRows {
	/** All descendants, at any depth, the innermost first. */
	readonly below: (key: DocumentKey) => readonly DocumentKey[];
	/** The containers of the parent that a customId names; undefined if it names none, null if the parent does not exist. */
	readonly tagsBeside: (organisation: DocumentKey["organisation"], customId: string | null) => readonly string[] | null | undefined;
}

export function attachmentRows({ statement }: Pick<Executor, "statement">): AttachmentRows {
	function inside(organisation: DocumentKey["organisation"], { id, customId }: FoundAttachments): readonly FoundAttachments[] {
		const prefix = attachmentsPrefix({ id: asId<DocumentId>(id), customId });
		const sql = "SELECT id, custom_id AS customId FROM documents WHERE organisation = ? AND custom_id >= ? AND custom_id < ?";
		return statement<FoundAttachments>(sql)
			.all(organisation, prefix, behindPrefix(prefix))
			.flatMap((found) => [...inside(organisation, found), found]);
	}

	return {
		below: ({ organisation, id }) => {
			const found = statement<FoundAttachments>("SELECT id, custom_id AS customId FROM documents WHERE organisation = ? AND id = ?").get(organisation, id);
			return found === null ? [] : inside(organisation, found).map((member) => ({ organisation, id: asId<DocumentId>(member.id) }));
		},
		tagsBeside: (organisation, customId) => {
			const parent = parentOf(customId);
			if (parent === null) return undefined;
			const sql = "SELECT container_tags AS tags FROM documents WHERE organisation = ? AND id = ?";
			const found = statement<{ tags: string }>(sql).get(organisation, parent);
			return found === null ? null : JSON.parse(found.tags);
		},
	};
}
