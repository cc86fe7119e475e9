/** Finds the attachments of documents by the prefix of their customIds, see `attachmentsPrefix`. */

import { asId } from "cairn-memory";
import { attachmentsPrefix, type DocumentId, parentOf } from "cairn-memory/stores";
import type { Program, SqlContext } from "../executor.ts";
import { behindPrefix } from "../scopes/scope-sql.ts";
import type { DocumentKey } from "./document-operations.ts";

interface FoundAttachments {
	readonly id: string;
	readonly customId: string | null;
}

export interface AttachmentRows {
	/** All descendants, the deepest first. */
	readonly below: (key: DocumentKey) => Program<readonly DocumentKey[]>;
	/** The containers of the parent, which is part of the customId of an attachment; undefined if it is no attachment, null if the parent does not exist. */
	readonly tagsBeside: (organisation: DocumentKey["organisation"], customId: string | null) => Program<readonly string[] | null | undefined>;
}

export function attachmentRows({ statement }: SqlContext): AttachmentRows {
	function* inside(organisation: DocumentKey["organisation"], { id, customId }: FoundAttachments): Program<readonly FoundAttachments[]> {
		const prefix = attachmentsPrefix({ id: asId<DocumentId>(id), customId });
		const sql = "SELECT id, custom_id AS customId FROM documents WHERE organisation = ? AND custom_id >= ? AND custom_id < ?";
		const found: FoundAttachments[] = [];
		for (const each of yield* statement<FoundAttachments>(sql).all(organisation, prefix, behindPrefix(prefix)))
			found.push(...(yield* inside(organisation, each)), each);
		return found;
	}

	return {
		below: function* ({ organisation, id }) {
			const found = yield* statement<FoundAttachments>("SELECT id, custom_id AS customId FROM documents WHERE organisation = ? AND id = ?").get(
				organisation,
				id,
			);
			return found === null ? [] : (yield* inside(organisation, found)).map((member) => ({ organisation, id: asId<DocumentId>(member.id) }));
		},
		tagsBeside: function* (organisation, customId) {
			const parent = parentOf(customId);
			if (parent === null) return undefined;
			const sql = "SELECT container_tags AS tags FROM documents WHERE organisation = ? AND id = ?";
			const found = yield* statement<{ tags: string }>(sql).get(organisation, parent);
			return found === null ? null : JSON.parse(found.tags);
		},
	};
}
