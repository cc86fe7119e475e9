/** Names a question by everything that its answer depends on. Questions that differ never share a stored answer. */

import type { Question } from "../plugin/contract.ts";

/** A short text that no two texts have in common, such as SHA-256. */
export type Digest = (text: string) => string;

/** @param model provider and model: another one answers otherwise. */
export function fingerprint(model: string, { system, prompt, schema, outputTokensMax }: Question, digest: Digest): string {
	return digest(JSON.stringify([model, system, prompt, schema, outputTokensMax]));
}
