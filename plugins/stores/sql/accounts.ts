/** Organisations and their API keys. */

import { asId, type OrganisationId } from "cairn-memory";
import {
	type AccountStore,
	type ApiKey,
	type KeyChange,
	type KeyId,
	noQuotas,
	type Organisation,
	type OrganisationAccount,
	type Quotas,
} from "cairn-memory/stores";
import { hasRows } from "./erase-organisation.ts";
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
		setQuotas: durable(function* ({ organisation, quotas }: { organisation: OrganisationId; quotas: Quotas }): Program<boolean> {
			const sql = "UPDATE organisations SET quotas = ? WHERE id = ? AND removed_at IS NULL";
			return (yield* statement(sql).run(JSON.stringify(quotas), organisation)).changes > 0;
		}),
		removeOrganisation: durable(function* ({ organisation, now }: { organisation: OrganisationId; now: Date }): Program<boolean> {
			const sql = "UPDATE organisations SET removed_at = coalesce(removed_at, ?) WHERE id = ?";
			if ((yield* statement(sql).run(now.getTime(), organisation)).changes === 0) return false;
			yield* statement("DELETE FROM api_keys WHERE organisation = ?").run(organisation);
			return true;
		}),
		endRemoval: durable(function* ({ organisation }: { organisation: OrganisationId }): Program<boolean> {
			if (yield* hasRows(organisation, executor)) return false;
			yield* statement("DELETE FROM organisation_usage WHERE organisation = ?").run(organisation);
			return (yield* statement("DELETE FROM organisations WHERE id = ? AND removed_at IS NOT NULL").run(organisation)).changes > 0;
		}),
		addKey: durable(function* (key: ApiKey): Program<void> {
			const removed = yield* statement("SELECT 1 FROM organisations WHERE id = ? AND removed_at IS NOT NULL").get(key.organisation);
			if (removed === null) yield* insertKey(key);
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

const decodeOrganisation = decoder(organisations);
const keyOf = decoder(apiKeys);
const selectOrganisations = `SELECT ${columnList(organisations, "o")}, u.documents AS documents, u.bytes AS bytes
	FROM organisations o LEFT JOIN organisation_usage u ON u.organisation`;
const selectKeys = `SELECT ${columnList(apiKeys, "k")} FROM api_keys k`;

export function accountStore({ statement, read, write }: SqlEngine): AccountStore {
	const keys = function* (organisation: OrganisationId) {
		return (yield* statement(`${selectKeys} WHERE k.organisation = ? ORDER BY k.created_at, k.id`).all(organisation)).map(apiKey);
	};

	const organisationAccounts = async () => (await read(statement(`${selectOrganisations} = o.id ORDER BY o.created_at, o.id`).all())).map(accountOf);

	return {
		organisations: async () =>
			(await organisationAccounts()).filter(({ removedAt }) => removedAt === null).map(({ id, name, slug, createdAt }) => ({ id, name, slug, createdAt })),
		organisationAccounts,
		organisationAccount: async (organisation) => {
			const row = await read(statement(`${selectOrganisations} = ?1 WHERE o.id = ?1`).get(organisation));
			return row === null ? null : accountOf(row);
		},
		setQuotas: (organisation, quotas) => write("setQuotas", { organisation, quotas }),
		removeOrganisation: (organisation, now) => write("removeOrganisation", { organisation, now }),
		endRemoval: (organisation) => write("endRemoval", { organisation }),
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

function accountOf(stored: unknown): OrganisationAccount {
	const { documents, bytes } = stored as Readonly<Record<"documents" | "bytes", number | null>>;
	const { id, name, slug, createdAt, quotas, removedAt } = decodeOrganisation(stored);
	return {
		...{ id: asId<OrganisationId>(id), name, slug, createdAt, removedAt },
		quotas: quotas ?? noQuotas,
		stored: { documents: documents ?? 0, bytes: bytes ?? 0 },
	};
}

function apiKey(stored: unknown): ApiKey {
	const row = keyOf(stored);
	return { ...row, id: asId<KeyId>(row.id), organisation: asId<OrganisationId>(row.organisation) };
}
