/** Organisations and their API keys. */

import { type AccountStore, type ApiKey, asId, type KeyId, type OrganisationId } from "cairn";
import { asc, eq, sql } from "drizzle-orm";
import type { Reads } from "./reads.ts";
import { apiKeys, organisations } from "./schema.ts";
import type { WriterClient } from "./writer-client.ts";

export function accountStore(reads: Reads, { write }: WriterClient): AccountStore {
	const prepared = reads.prepare(({ orm }) => ({
		organisations: orm.select().from(organisations).orderBy(asc(organisations.createdAt), asc(organisations.id)).prepare(),
		byHash: orm
			.select()
			.from(apiKeys)
			.where(eq(apiKeys.hash, sql.placeholder("hash")))
			.prepare(),
		keys: orm
			.select()
			.from(apiKeys)
			.where(eq(apiKeys.organisation, sql.placeholder("organisation")))
			.orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
			.prepare(),
	}));
	const keys = (organisation: OrganisationId) => prepared().keys.all({ organisation }).map(apiKey);

	return {
		organisations: async () =>
			prepared()
				.organisations.all()
				.map((row) => ({ ...row, id: asId<OrganisationId>(row.id) })),
		addOrganisation: (organisation) => write("addOrganisation", organisation),
		keyByHash: async (hash) => {
			const row = prepared().byHash.get({ hash });
			return row === undefined ? null : apiKey(row);
		},
		keys: async (organisation) => keys(organisation),
		addKey: (key) => write("addKey", key),
		changeKey: async (organisation, id, change) => {
			await write("changeKey", { organisation, id, change });
			return keys(organisation).find((key) => key.id === id) ?? null;
		},
		removeKey: (organisation, id) => write("removeKey", { organisation, id }),
	};
}

function apiKey(row: typeof apiKeys.$inferSelect): ApiKey {
	return { ...row, id: asId<KeyId>(row.id), organisation: asId<OrganisationId>(row.organisation) };
}
