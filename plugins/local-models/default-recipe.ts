/** Pooling and prompts of a model: as its folder declares them, otherwise the defaults of its family. */

import { z } from "zod";
import type { Pooling } from "./model-folder.ts";

/** The pooling file of sentence-transformers, in its old and its new form. */
export const poolingFile = z.object({
	pooling_mode: z.string().optional(),
	pooling_mode_cls_token: z.boolean().optional(),
	pooling_mode_lasttoken: z.boolean().optional(),
	pooling_mode_mean_tokens: z.boolean().optional(),
});

/** The declared pooling; mean pooling by default. */
export function poolingOf(declared: z.output<typeof poolingFile> | null): Pooling {
	if (declared?.pooling_mode_cls_token === true || declared?.pooling_mode === "cls") return "cls";
	return declared?.pooling_mode_lasttoken === true || declared?.pooling_mode === "lasttoken" ? "last" : "mean";
}

export interface Prompts {
	readonly query: string;
	readonly document: string;
}

/** Prompts from the models' documentation. */
const families: readonly (readonly [name: RegExp, prompts: Prompts])[] = [
	[/(^|[-_])e5([-_]|$)/i, { query: "query: ", document: "passage: " }],
	[/bge-(small|base|large)-en/i, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
	[/bge-(small|base|large)-zh/i, { query: "为这个句子生成表示以用于检索相关文章:", document: "" }],
];

/** @param declared prompts in the folder, under the names that sentence-transformers uses. */
export function promptsOf(name: string, declared: Readonly<Record<string, string>>): Prompts {
	const query = declared["query"];
	const document = declared["document"] ?? declared["passage"];
	if (query !== undefined || document !== undefined) return { query: query ?? "", document: document ?? "" };
	return families.find(([pattern]) => pattern.test(name))?.[1] ?? { query: "", document: "" };
}
