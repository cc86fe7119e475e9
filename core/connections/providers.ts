/** The providers that clients know by name, and which connector reads them. */

import { fail } from "../errors/fail.ts";
import type { Connector } from "../plugin/contract.ts";

/** The API contract lists these. Which of them can be used depends on the installed plugins. */
const contractProviders = ["notion", "google-drive", "onedrive", "gmail", "github", "web-crawler", "s3", "granola"] as const;

/** The providers of the API contract in its order, then those that plugins add. */
export function providersOf(connectors: readonly Connector[]): readonly string[] {
	return [...new Set<string>([...contractProviders, ...connectors.map(({ name }) => name)])];
}

/** @throws ServiceError `PROVIDER_UNKNOWN` */
export function demandProvider(name: string, connectors: readonly Connector[]): void {
	const providers = providersOf(connectors);
	if (!providers.includes(name)) throw fail("PROVIDER_UNKNOWN", name.slice(0, 100), providers.join(", "));
}

/** @throws ServiceError `PROVIDER_UNKNOWN`, or `CONNECTOR_MISSING` when no plugin reads it */
export function connectorOf(provider: string, connectors: readonly Connector[]): Connector {
	demandProvider(provider, connectors);
	const connector = connectors.find(({ name }) => name === provider);
	if (connector === undefined) throw fail("CONNECTOR_MISSING", provider, connectors.map(({ name }) => name).join(", ") || "none");
	return connector;
}
