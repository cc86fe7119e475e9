/** Organisations and their API keys. */

import { asId, type OrganisationId } from "cairn-memory";
import type { AccountStore, ApiKey, KeyChange, KeyId, Organisation } from "cairn-memory/stores";
import { durable, type Program, type SqlContext, type SqlEngine } from "./executor.ts";
import { apiKeys, organisations } from "./schema.ts";
import { columnList, decoder, inserter, setOf } from "./table-rows.ts";

export interface KeyName {
	readonly organisation: OrganisationId;
	readonly id: KeyId;
}

export function accountOperations(executor: SqlContext) {
	const { statement } = executor;
	const insertOrganisation = inserter(executor, organisations, " ON CONFLICT DO NOTHING");
	const insertKey = inserter(executor, apiKeys, " ON CONFLICT DO NOTHING");
	return {
		addOrganisation: durable(function* (organisation: Organisation): Program<void> {
			yield* insertOrganisation(organisation);
		}),
		addKey: durable(function* (key: ApiKey): Program<void> {
			yield* insertKey(key);
		}),

		changeKey: durable(function* ({ change, organisation, id }: KeyName & { change: KeyChange }): Program<void> {
			const set = setOf(apiKeys, change);
			if (set.params.length > 0) yield* statement(`UPDATE api_keys SET ${set.sql} WHERE organisation = ? AND id = ?`).run(...set.params, organisation, id);
		}),

		removeKey: durable(function* ({ organisation, id }: KeyName): Program<boolean> {
			return (yield* statement("DELETE FROM api_keys WHERE organisation = ? AND id = ?").run(organisation, id)).changes > 0;
		}),
	};
}

const organisationOf = decoder(organisations);
const keyOf = decoder(apiKeys);
const selectOrganisations = `SELECT ${columnList(organisations, "o")} FROM organisations o ORDER BY o.created_at, o.id`;
const selectKeys = `SELECT ${columnList(apiKeys, "k")} FROM api_keys k`;

export function accountStore({ statement, read, write }: SqlEngine): AccountStore {
	const keys = function* (organisation: OrganisationId) {
		return (yield* statement(`${selectKeys} WHERE k.organisation = ? ORDER BY k.created_at, k.id`).all(organisation)).map(apiKey);
	};

	return {
		organisations: async () =>
			(await read(statement(selectOrganisations).all())).map(organisationOf).map((row) => ({ ...row, id: asId<OrganisationId>(row.id) })),
		addOrganisation: (organisation) => write("addOrganisation", organisation),
		keyByHash: async (hash) => {
			const row = await read(statement(`${selectKeys} WHERE k.hash = ?`).get(hash));
			return row === null ? null : apiKey(row);
		},
		keys: (organisation) => read(keys(organisation)),
		addKey: (key) => write("addKey", key),
		changeKey: async (organisation, id, change) => {
			await write("changeKey", { organisation, id, change });
			return (await read(keys(organisation))).find((key) => key.id === id) ?? null;
		},
		removeKey: (organisation, id) => write("removeKey", { organisation, id }),
	};
}

function apiKey(stored: unknown): ApiKey {
	const row = keyOf(stored);
	return { ...row, id: asId<KeyId>(row.id), organisation: asId<OrganisationId>(row.organisation) };
}
