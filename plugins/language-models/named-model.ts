/** A language model that the environment names: `…_MODEL` and its key. Nothing leaves the machine because a key happens to be there. */

import { type Configure, fail, type PluginSetting } from "cairn-memory";

export interface Provider {
	/** The part's name; in capitals it is the prefix of its settings. */
	readonly name: string;
	/** The name of the service, for messages. */
	readonly where: string;
	/** Set where the address is configurable; any but the default may work without a key. */
	readonly base?: { readonly usual: string; readonly meaning: string };
}

/** A plugin that is listed with options of its own keeps them. */
export function namedModel({ name, where, base }: Provider): { readonly settings: readonly PluginSetting[]; readonly configure: Configure } {
	const prefix = name.toUpperCase();
	const [modelName, keyName, baseName] = [`${prefix}_MODEL`, `${prefix}_API_KEY`, `${prefix}_BASE_URL`];
	return {
		settings: [
			{ env: modelName, kind: "text", meaning: `language model to ask at ${where}` },
			...(base === undefined ? [] : [{ env: baseName, kind: "address", meaning: base.meaning, fallback: base.usual } as const]),
			{ env: keyName, kind: "secret", meaning: "key for it" },
		],
		configure: (given, { settings, use, modelTimeoutMs }) => {
			const { [modelName]: model = null, [keyName]: apiKey = null, [baseName]: baseUrl = null } = settings;
			const isMeant = model !== null && (use.languageModel ?? name) === name;
			const endpoint = isMeant && typeof baseUrl === "string" ? baseUrl : null;
			if (isMeant && apiKey === null && (endpoint === null || new URL(endpoint).hostname === new URL(base?.usual ?? endpoint).hostname))
				throw fail("SETTING_INVALID", keyName, `${modelName} is set, and this provider wants a key`);
			const suggested = isMeant ? { endpoint, suggests: name } : {};
			if (Object.keys(given).length > 0) return { options: given, ...suggested };
			if (!isMeant) return null;
			return {
				options: { model, timeoutMs: modelTimeoutMs, ...(endpoint !== null && { baseUrl: endpoint }), ...(apiKey !== null && { apiKey }) },
				...suggested,
			};
		},
	};
}
