/** Organisations and their API keys. */

import { type AccountStore, type ApiKey, asId, type KeyChange, type KeyId, type Organisation, type OrganisationId } from "cairn-memory";
import type { Executor, SqlEngine } from "./executor.ts";
import { durable } from "./executor.ts";
import { apiKeys, organisations } from "./schema.ts";
import { columnList, decoder, inserter, setOf } from "./table-rows.ts";

export interface KeyName {
	readonly organisation: OrganisationId;
	readonly id: KeyId;
}

export function accountOperations(executor: Executor) {
	const { statement } = executor;
	const insertOrganisation = inserter(executor, organisations, " OR IGNORE");
	const insertKey = inserter(executor, apiKeys, " OR IGNORE");
	return {
		addOrganisation: durable((organisation: Organisation): void => insertOrganisation(organisation)),
		addKey: durable((key: ApiKey): void => insertKey(key)),

		changeKey: durable(({ change, organisation, id }: KeyName & { change: KeyChange }): void => {
			const set = setOf(apiKeys, change);
			if (set.params.length > 0) statement(`UPDATE api_keys SET ${set.sql} WHERE organisation = ? AND id = ?`).run(...set.params, organisation, id);
		}),

		removeKey: durable(
			({ organisation, id }: KeyName): boolean => statement("DELETE FROM api_keys WHERE organisation = ? AND id = ?").run(organisation, id).changes > 0,
		),
	};
}

const organisationOf = decoder(organisations);
const keyOf = decoder(apiKeys);
const selectOrganisations = `SELECT ${columnList(organisations, "o")} FROM organisations o ORDER BY o.created_at, o.id`;
const selectKeys = `SELECT ${columnList(apiKeys, "k")} FROM api_keys k`;

export function accountStore({ statement, write }: SqlEngine): AccountStore {
	const keys = (organisation: OrganisationId) => statement(`${selectKeys} WHERE k.organisation = ? ORDER BY k.created_at, k.id`).all(organisation).map(apiKey);

	return {
		organisations: async () =>
			statement(selectOrganisations)
				.all()
				.map(organisationOf)
				.map((row) => ({ ...row, id: asId<OrganisationId>(row.id) })),
		addOrganisation: (organisation) => write("addOrganisation", organisation),
		keyByHash: async (hash) => {
			const row = statement(`${selectKeys} WHERE k.hash = ?`).get(hash);
			return row === null ? null : apiKey(row);
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

function apiKey(stored: unknown): ApiKey {
	const row = keyOf(stored);
	return { ...row, id: asId<KeyId>(row.id), organisation: asId<OrganisationId>(row.organisation) };
}
