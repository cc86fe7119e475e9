/**
 * The models that `cairn models pull` knows by name, with what their repositories do not declare. Checksums are taken from the hub at
 * the first download and pinned from then on, see `lock-file.ts`.
 */

export interface KnownModel {
	readonly name: string;
	/** The repository on the hub. */
	readonly repository: string;
	readonly kind: "embedder" | "reranker" | "transcriber";
	/** The licence stated in its repository. */
	readonly licence: string;
	readonly languages: string;
	/** How to run the model; written into its folder as `cairn.json`. */
	readonly recipe?: Readonly<Record<string, string | number>>;
}

const bgeQuestion = "Represent this sentence for searching relevant passages: ";

export const knownModels: readonly KnownModel[] = [
	{
		name: "bge-small-en-v1.5",
		repository: "BAAI/bge-small-en-v1.5",
		kind: "embedder",
		licence: "MIT",
		languages: "English",
		recipe: { pooling: "cls", queryPrompt: bgeQuestion, documentPrompt: "" },
	},
	{
		name: "bge-base-en-v1.5",
		repository: "BAAI/bge-base-en-v1.5",
		kind: "embedder",
		licence: "MIT",
		languages: "English",
		recipe: { pooling: "cls", queryPrompt: bgeQuestion, documentPrompt: "" },
	},
	{
		name: "all-MiniLM-L6-v2",
		repository: "sentence-transformers/all-MiniLM-L6-v2",
		kind: "embedder",
		licence: "Apache-2.0",
		languages: "English",
		// The model was trained with 128 tokens and evaluated with 256, which is the value in its own configuration.
		recipe: { pooling: "mean", tokensMax: 256 },
	},
	{
		name: "multilingual-e5-small",
		repository: "intfloat/multilingual-e5-small",
		kind: "embedder",
		licence: "MIT",
		languages: "about 100",
		recipe: { pooling: "mean", queryPrompt: "query: ", documentPrompt: "passage: " },
	},
	{ name: "bge-m3", repository: "BAAI/bge-m3", kind: "embedder", licence: "MIT", languages: "about 100", recipe: { pooling: "cls" } },
	{
		name: "ms-marco-MiniLM-L6-v2",
		repository: "cross-encoder/ms-marco-MiniLM-L6-v2",
		kind: "reranker",
		licence: "Apache-2.0",
		languages: "English",
		recipe: { kind: "reranker" },
	},
	{ name: "whisper-base", repository: "onnx-community/whisper-base", kind: "transcriber", licence: "Apache-2.0", languages: "about 100" },
];

/** A known model by its name, or any other model by its repository on the hub; null for an invalid name. */
export function modelNamed(name: string): Pick<KnownModel, "name" | "repository" | "recipe"> | null {
	const known = knownModels.find((model) => model.name.toLowerCase() === name.toLowerCase() || model.repository === name);
	if (known !== undefined) return known;
	const [, folderName = ""] = /^[\w][\w.-]*\/([\w][\w.-]*)$/.exec(name) ?? [];
	return folderName === "" || folderName.includes("..") ? null : { name: folderName, repository: name };
}
