/** Organisations and their API keys. */

import { type AccountStore, type ApiKey, asId, type KeyId, type OrganisationId } from "cairn-memory";
import { asc, eq, sql } from "drizzle-orm";
import type { Reads } from "../sqlite/threads/reads.ts";
import type { WriterClient } from "../sqlite/writer/writer-client.ts";
import { apiKeys, organisations } from "./schema.ts";
import { columnList } from "./table-rows.ts";

export function accountStore(reads: Reads, { write }: WriterClient): AccountStore {
	const prepared = reads.prepare(({ orm }) => ({
		organisations: orm.select().from(organisations).orderBy(asc(organisations.createdAt), asc(organisations.id)).prepare(),
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
			const row = reads.statement<KeyRow>(selectByHash).get(hash);
			return row === null ? null : keyOfRow(row);
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

/** Each request asks for its key: prepared once, and read without going through the table's description. */
const selectByHash = `SELECT ${columnList(apiKeys, "k")} FROM api_keys k WHERE k.hash = ?`;

type Written = "createdAt" | "expiresAt" | "isEnabled" | "grants" | "endpoints" | "rateLimit";

/** As the columns hold it. */
interface KeyRow extends Omit<typeof apiKeys.$inferSelect, Written> {
	readonly createdAt: number;
	readonly expiresAt: number | null;
	readonly isEnabled: number;
	readonly grants: string | null;
	readonly endpoints: string | null;
	readonly rateLimit: string | null;
}

function keyOfRow({ createdAt, expiresAt, isEnabled, grants, endpoints, rateLimit, ...row }: KeyRow): ApiKey {
	return apiKey({
		...row,
		createdAt: new Date(createdAt),
		expiresAt: expiresAt === null ? null : new Date(expiresAt),
		isEnabled: isEnabled === 1,
		grants: grants === null ? null : JSON.parse(grants),
		endpoints: endpoints === null ? null : JSON.parse(endpoints),
		rateLimit: rateLimit === null ? null : JSON.parse(rateLimit),
	});
}

function apiKey(row: typeof apiKeys.$inferSelect): ApiKey {
	return { ...row, id: asId<KeyId>(row.id), organisation: asId<OrganisationId>(row.organisation) };
}
