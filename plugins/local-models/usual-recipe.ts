/** Defaults of model families where the folder does not declare them: pooling and prompts. */

import { z } from "zod";
import type { Pooling } from "./model-folder.ts";

/** Sentence-transformers' own file, in its old and its new spelling. */
export const poolingFile = z.object({
	pooling_mode: z.string().optional(),
	pooling_mode_cls_token: z.boolean().optional(),
	pooling_mode_lasttoken: z.boolean().optional(),
	pooling_mode_mean_tokens: z.boolean().optional(),
});

/** Mean pooling by default. */
export function poolingOf(said: z.output<typeof poolingFile> | null): Pooling {
	if (said?.pooling_mode_cls_token === true || said?.pooling_mode === "cls") return "cls";
	return said?.pooling_mode_lasttoken === true || said?.pooling_mode === "lasttoken" ? "last" : "mean";
}

export interface Prompts {
	readonly query: string;
	readonly document: string;
}

/** From the models' documentation. */
const families: readonly (readonly [name: RegExp, prompts: Prompts])[] = [
	[/(^|[-_])e5([-_]|$)/i, { query: "query: ", document: "passage: " }],
	[/bge-(small|base|large)-en/i, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
	[/bge-(small|base|large)-zh/i, { query: "为这个句子生成表示以用于检索相关文章:", document: "" }],
];

/** @param said prompts declared in the folder, by sentence-transformers' names. */
export function promptsOf(name: string, said: Readonly<Record<string, string>>): Prompts {
	const query = said["query"];
	const document = said["document"] ?? said["passage"];
	if (query !== undefined || document !== undefined) return { query: query ?? "", document: document ?? "" };
	return families.find(([pattern]) => pattern.test(name))?.[1] ?? { query: "", document: "" };
}
