/** The settings of a connector whose service knows this server as an OAuth client: its id, its secret, and an address for tests. */

import { type Configure, fail, type GivenOptions, type PluginSetting } from "cairn-memory";
import { z } from "zod";

/** The options of every such plugin. */
export const publicClientOptions = {
	clientId: z.string().min(1),
	/** The origin of a service in the vendor's place, for tests. */
	endpoint: z.url({ protocol: /^https?$/ }).optional(),
};
export const clientOptions = { ...publicClientOptions, clientSecret: z.string().min(1) };

interface Vendor {
	/** In the names of the settings, as in `CAIRN_OAUTH_GOOGLE_ID`. */
	readonly env: string;
	readonly name: string;
	/** What the vendor calls that of which the id is: a project, an app. */
	readonly registration: string;
	/** What cannot be connected without it. */
	readonly service: string;
	/** False where PKCE stands in place of a secret. */
	readonly hasSecret: boolean;
}

/** @param more further options from the settings */
export function oauthClient(
	{ env, name, registration, service, hasSecret }: Vendor,
	more: (settings: GivenOptions, input: GivenOptions) => GivenOptions = () => ({}),
) {
	const [idName, secretName, urlName] = [`CAIRN_OAUTH_${env}_ID`, `CAIRN_OAUTH_${env}_SECRET`, `CAIRN_OAUTH_${env}_URL`];
	const settings: readonly PluginSetting[] = [
		{ env: idName, kind: "text", meaning: `client id of ${registration} at ${name}; without it nobody can connect ${service}` },
		...(hasSecret ? [{ env: secretName, kind: "secret", meaning: "client secret for it" } as const] : []),
		{ env: urlName, kind: "address", meaning: `service in ${name}'s place, for tests` },
	];
	const configure: Configure = (input, operator) => {
		const [clientId, clientSecret] = [operator.settings[idName] ?? input["clientId"], operator.settings[secretName] ?? input["clientSecret"]];
		const endpoint = operator.settings[urlName] ?? input["endpoint"];
		if (clientId === undefined && clientSecret === undefined) return null;
		if (clientId === undefined)
			throw fail("SETTING_INVALID", idName, hasSecret ? `it is needed with ${secretName}` : "a secret alone is not enough, and none is needed");
		if (!hasSecret) return configured({ clientId });
		if (clientSecret === undefined) throw fail("SETTING_INVALID", secretName, `it is needed with ${idName}`);
		return configured({ clientId, clientSecret });

		function configured(known: GivenOptions): NonNullable<ReturnType<Configure>> {
			return {
				options: { ...known, ...(endpoint !== undefined && { endpoint }), ...more(operator.settings, input) },
				...(typeof endpoint === "string" && { endpoint }),
			};
		}
	};
	return { settings, configure };
}
