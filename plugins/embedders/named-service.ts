/** An embedding service configured by the environment, `CAIRN_EMBEDDING_…`, for the plugin whose embedder is used. */

import type { Configure, PluginSetting } from "cairn-memory";

export const embeddingSettings: readonly PluginSetting[] = [
	{ env: "CAIRN_EMBEDDING_MODEL", kind: "text", meaning: "model of an embedding service; without one none is asked" },
	{
		env: "CAIRN_EMBEDDING_URL",
		kind: "address",
		meaning: "embedding service; default that of OpenAI, or with the embedder ollama http://127.0.0.1:11434",
	},
	{ env: "CAIRN_EMBEDDING_KEY", kind: "secret", meaning: "key for it" },
	{ env: "CAIRN_EMBEDDING_PRICE", kind: "price", meaning: "price of a million tokens of it, such as 0.02; only for the ledger" },
];

interface Service {
	readonly isMeant: (embedder: string | undefined) => boolean;
	/** Null for the provider's own. */
	readonly usualUrl: string | null;
	readonly takesKey: boolean;
}

/** The config file takes precedence. */
export function namedService({ isMeant, usualUrl, takesKey }: Service): Configure {
	return (given, { settings, use }) => {
		const { CAIRN_EMBEDDING_MODEL: model, CAIRN_EMBEDDING_URL: url, CAIRN_EMBEDDING_KEY: apiKey, CAIRN_EMBEDDING_PRICE: price } = settings;
		if (model == null || !isMeant(use.embedder)) return { options: given };
		const endpoint = typeof url === "string" ? url : usualUrl;
		const said = { model, ...(endpoint !== null && { baseUrl: endpoint }), ...(takesKey && apiKey != null && { apiKey }), ...(price != null && { price }) };
		return { options: { ...said, ...given }, endpoint };
	};
}
