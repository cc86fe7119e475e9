/** Refuses a write that would exceed a quota of the organisation. It runs in the transaction of the write, so parallel requests do not exceed it together. */

import { fail, type OrganisationId } from "cairn-memory";
import type { Content, Quotas } from "cairn-memory/stores";
import type { Program, SqlContext } from "../executor.ts";
import type { DocumentKey } from "./document-operations.ts";

interface Row {
	readonly quotas: string | null;
	readonly documents: number | null;
	readonly bytes: number | null;
}

export function quotaGuard({ statement }: SqlContext) {
	/** @throws ServiceError `QUOTA_DOCUMENTS`, `QUOTA_BYTES` */
	function* demandRoom(organisation: OrganisationId, moreDocuments: number, moreBytes: number): Program<void> {
		const sql = `SELECT o.quotas AS quotas, u.documents AS documents, u.bytes AS bytes
			FROM organisations o LEFT JOIN organisation_usage u ON u.organisation = ?1 WHERE o.id = ?1`;
		const row = yield* statement<Row>(sql).get(organisation);
		if (row === null || row.quotas === null) return;
		const { documents: documentsMax, bytes: bytesMax }: Quotas = JSON.parse(row.quotas);
		const { documents, bytes } = { documents: row.documents ?? 0, bytes: row.bytes ?? 0 };
		if (moreDocuments > 0 && documentsMax !== null && documents + moreDocuments > documentsMax) throw fail("QUOTA_DOCUMENTS", documents, documentsMax);
		// What makes a document smaller is allowed even to whoever has too much.
		if (moreBytes > 0 && bytesMax !== null && bytes + moreBytes > bytesMax) throw fail("QUOTA_BYTES", bytes, moreBytes, bytesMax);
	}

	return {
		demandRoomFor: (organisation: OrganisationId, content: Content) => demandRoom(organisation, 1, bytesOf(content)),
		demandRoomToReplace: function* ({ organisation, id }: DocumentKey, before: Content, content: Content): Program<void> {
			const sql = "SELECT octet_length(content) AS bytes FROM document_texts WHERE organisation = ? AND document = ?";
			const text = before.kind === "text" ? yield* statement<{ bytes: number | null }>(sql).get(organisation, id) : null;
			yield* demandRoom(organisation, 0, bytesOf(content) - (before.kind === "text" ? (text?.bytes ?? 0) : bytesOf(before)));
		},
	};
}

/** As the triggers count them, see `organisation_usage`. */
function bytesOf(content: Content): number {
	if (content.kind === "text") return Buffer.byteLength(content.text);
	return content.kind === "file" ? content.byteLength : 0;
}
