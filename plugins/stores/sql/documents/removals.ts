/** Documents that can be brought back: reads here, writes by way of the writer. */

import { asId, type DocumentId, type OrganisationId, type RemovalStore } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";

interface Row {
	readonly id: string;
	readonly customId: string | null;
	readonly containerTags: string;
}

export function removalStore(organisation: OrganisationId, { statement, write }: SqlEngine): RemovalStore {
	return {
		setAside: (id, removal, expiresAt, now) => write("setAside", { organisation, id, removal, expiresAt, now }),
		list: async (removal, now) => {
			const sql = `SELECT document AS id, row ->> 'customId' AS customId, row ->> 'containerTags' AS containerTags FROM removed_documents
				WHERE organisation = ? AND removal = ? AND expires_at > ? ORDER BY rowid DESC`;
			return statement<Row>(sql)
				.all(organisation, removal, now.getTime())
				.map(({ id, customId, containerTags }) => ({ id: asId<DocumentId>(id), customId, containerTags: JSON.parse(containerTags) }));
		},
		bringBack: (removal, id, job, now) => write("bringBack", { organisation, removal, id, job, now }),
		expireAll: () => write("expireRemovals", organisation),
	};
}
