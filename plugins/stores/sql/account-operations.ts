/** Writes of the account store. */

import type { ApiKey, KeyChange, KeyId, Organisation, OrganisationId } from "cairn-memory";
import { and, eq } from "drizzle-orm";
import type { Connection } from "../sqlite/connection.ts";
import { durable } from "./operation.ts";
import { apiKeys, organisations } from "./schema.ts";

interface KeyName {
	readonly organisation: OrganisationId;
	readonly id: KeyId;
}

export function accountOperations({ orm }: Connection) {
	const named = ({ organisation, id }: KeyName) => and(eq(apiKeys.organisation, organisation), eq(apiKeys.id, id));
	return {
		addOrganisation: durable((organisation: Organisation): void => {
			orm.insert(organisations).values(organisation).onConflictDoNothing().run();
		}),

		addKey: durable((key: ApiKey): void => {
			orm.insert(apiKeys).values(key).onConflictDoNothing().run();
		}),

		changeKey: durable(({ change, ...key }: KeyName & { change: KeyChange }): void => {
			if (Object.keys(change).length > 0) orm.update(apiKeys).set(change).where(named(key)).run();
		}),

		removeKey: durable((key: KeyName): boolean => orm.delete(apiKeys).where(named(key)).returning({ id: apiKeys.id }).all().length > 0),
	};
}
