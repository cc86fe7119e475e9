/** The environment variables `CAIRN_EMBEDDING_…`, which configure an embedding service for the plugin that speaks its protocol. */

import type { Configure, PluginSetting } from "cairn-memory";

export const embeddingSettings: readonly PluginSetting[] = [
	{ env: "CAIRN_EMBEDDING_MODEL", kind: "text", meaning: "model of an embedding service; without it no service is used" },
	{
		env: "CAIRN_EMBEDDING_URL",
		kind: "address",
		meaning: "URL of the embedding service; the default is OpenAI's, or http://127.0.0.1:11434 with the embedder ollama",
	},
	{ env: "CAIRN_EMBEDDING_KEY", kind: "secret", meaning: "key for it" },
	{ env: "CAIRN_EMBEDDING_PRICE", kind: "price", meaning: "price per million tokens, such as 0.02; only for the ledger" },
];

interface Service {
	/** Whether the service is for this plugin. @param embedder that the operator has chosen; undefined if none */
	readonly isSelected: (embedder: string | undefined) => boolean;
	/** Null if the plugin has a default of its own. */
	readonly defaultUrl: string | null;
	readonly takesKey: boolean;
}

/** Options in the config file take precedence over the environment. */
export function namedService({ isSelected, defaultUrl, takesKey }: Service): Configure {
	return (fileOptions, { settings, use }) => {
		const { CAIRN_EMBEDDING_MODEL: model, CAIRN_EMBEDDING_URL: url, CAIRN_EMBEDDING_KEY: apiKey, CAIRN_EMBEDDING_PRICE: price } = settings;
		if (model == null || !isSelected(use.embedder)) return { options: fileOptions };
		const endpoint = typeof url === "string" ? url : defaultUrl;
		const environment = {
			model,
			...(endpoint !== null && { baseUrl: endpoint }),
			...(takesKey && apiKey != null && { apiKey }),
			...(price != null && { price }),
		};
		return { options: { ...environment, ...fileOptions }, endpoint };
	};
}
