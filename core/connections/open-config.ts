/** The configuration of a connector, with its secrets read from the vault. */

import { fail } from "../errors/fail.ts";
import type { ConnectorConfig } from "../plugin/contract.ts";
import type { Vault } from "../ports/vault.ts";
import { type Connection, vaultPurpose } from "./connection.ts";

/** @throws ServiceError `CONNECTION_SEALED` */
export function openConfig({ id, sealed }: Connection, vault: Vault): ConnectorConfig {
	const opened = vault.open(sealed, vaultPurpose(id));
	if (opened === null) throw fail("CONNECTION_SEALED");
	return JSON.parse(opened);
}
