/** For services that take a token of the client's own, and also a sign-in where the operator has registered an app. */

import { fail } from "cairn-memory";
import { z } from "zod";
import { clientOptions, type oauthClient } from "./oauth-client.ts";

/** The options of a plugin for such a service: it is there without an app too. */
export const appOptions = z.strictObject({
	...clientOptions,
	clientId: clientOptions.clientId.optional(),
	clientSecret: clientOptions.clientSecret.optional(),
});

export function withoutAppToo(configure: ReturnType<typeof oauthClient>["configure"]): typeof configure {
	return (input, operator) => configure(input, operator) ?? { options: {} };
}

interface Given {
	readonly token?: string | undefined;
	readonly endpoint: string;
}

/**
 * A token of a sign-in is sent to the service that the operator has chosen, and nowhere else; a client chooses where its own token goes.
 * @param home the API of the operator's app; null without one
 * @param advice what is said of a token that is missing
 * @throws CONNECTION_INVALID
 */
export function atHome<Config extends Given>(
	provider: string,
	config: Config,
	metadata: Readonly<Record<string, unknown>>,
	home: string | null,
	advice: string,
): Config {
	if (config.token !== undefined) return config;
	if (home === null) throw fail("CONNECTION_INVALID", provider, "token", advice);
	if ((metadata["endpoint"] ?? home) !== home)
		throw fail("CONNECTION_INVALID", provider, "endpoint", "another service is for a token of your own; without one somebody signs in where the operator says");
	return { ...config, endpoint: home };
}

/** Where requests go: the address of a sign-in that was made elsewhere, before the operator changed it, gets no token. */
export function endpointOf({ token, endpoint }: Given, home: string | null): string {
	return token === undefined && home !== null ? home : endpoint;
}

/** A server without the app says what one without the whole connector does: the next sync may be run by another, or with the app. @throws CONNECTOR_MISSING */
export function demandApp(provider: string, { token }: Given, home: string | null): void {
	if (token === undefined && home === null) throw fail("CONNECTOR_MISSING", provider, "one for tokens alone, without the app of an operator");
}
