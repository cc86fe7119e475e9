/** Writes of the account store. */

import type { ApiKey, KeyId, Organisation, OrganisationId } from "cairn";
import { and, eq, sql } from "drizzle-orm";
import type { Connection } from "./connection.ts";
import { durable } from "./operation.ts";
import { apiKeys, organisations } from "./schema.ts";

export function accountOperations({ orm }: Connection) {
	const addKey = orm
		.insert(apiKeys)
		.values({
			organisation: sql.placeholder("organisation"),
			id: sql.placeholder("id"),
			name: sql.placeholder("name"),
			hash: sql.placeholder("hash"),
			createdAt: sql.placeholder("createdAt"),
		})
		.onConflictDoNothing()
		.prepare();

	return {
		addOrganisation: durable((organisation: Organisation): void => {
			orm.insert(organisations).values(organisation).onConflictDoNothing().run();
		}),

		addKey: durable((key: ApiKey): void => {
			addKey.run({ ...key });
		}),

		removeKey: durable(({ organisation, id }: { organisation: OrganisationId; id: KeyId }): boolean => {
			const removed = orm
				.delete(apiKeys)
				.where(and(eq(apiKeys.organisation, organisation), eq(apiKeys.id, id)))
				.returning({ id: apiKeys.id })
				.all();
			return removed.length > 0;
		}),
	};
}
