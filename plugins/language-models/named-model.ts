/** A language model chosen by environment variables: `…_MODEL` and its key. A key alone chooses none, so that nothing is sent by accident. */

import { type Configure, fail, type PluginSetting } from "cairn-memory";
import { z } from "zod";

export interface Provider {
	/** Name of the language model; in capitals it is the prefix of its settings. */
	readonly name: string;
	/** Name of the service, for the descriptions of settings. */
	readonly service: string;
	/** Present if the base URL can be set; any server but the default one may work without a key. */
	readonly base?: { readonly defaultUrl: string; readonly meaning: string };
}

/** The options of every provider. */
export function modelOptions<Key extends z.ZodType>(defaultUrl: string, apiKey: Key) {
	return z.strictObject({
		model: z.string().trim().min(1),
		apiKey,
		baseUrl: z.url().default(defaultUrl),
		timeoutMs: z.number().int().min(100).default(120_000),
	});
}

/** Options in the config file take precedence over the environment. */
export function namedModel({ name, service, base }: Provider): { readonly settings: readonly PluginSetting[]; readonly configure: Configure } {
	const prefix = name.toUpperCase();
	const [modelName, keyName, baseName] = [`${prefix}_MODEL`, `${prefix}_API_KEY`, `${prefix}_BASE_URL`];
	return {
		settings: [
			{ env: modelName, kind: "text", meaning: `language model to ask at ${service}` },
			...(base === undefined ? [] : [{ env: baseName, kind: "address", meaning: base.meaning, fallback: base.defaultUrl } as const]),
			{ env: keyName, kind: "secret", meaning: "key for it" },
		],
		configure: (fileOptions, { settings, use, modelTimeoutMs }) => {
			const { [modelName]: model = null, [keyName]: apiKey = null, [baseName]: baseUrl = null } = settings;
			const isSelected = model !== null && (use.languageModel ?? name) === name;
			const endpoint = isSelected && typeof baseUrl === "string" ? baseUrl : null;
			if (isSelected && apiKey === null && (endpoint === null || new URL(endpoint).hostname === new URL(base?.defaultUrl ?? endpoint).hostname))
				throw fail("SETTING_INVALID", keyName, `${modelName} is set, and this provider needs a key`);
			const suggestion = isSelected ? { endpoint, suggests: name } : {};
			if (Object.keys(fileOptions).length > 0) return { options: fileOptions, ...suggestion };
			if (!isSelected) return null;
			return {
				options: { model, timeoutMs: modelTimeoutMs, ...(endpoint !== null && { baseUrl: endpoint }), ...(apiKey !== null && { apiKey }) },
				...suggestion,
			};
		},
	};
}
