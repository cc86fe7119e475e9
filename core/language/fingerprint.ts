/** Identifies a request to the language model by everything that its response depends on, so that different requests never share a stored response. */

import type { ModelRequest } from "../plugin/contract.ts";

/** A collision-resistant hash, such as SHA-256 in hexadecimal. */
export type Digest = (text: string) => string;

/** @param model provider and model */
export function fingerprint(model: string, { system, prompt, schema, outputTokensMax }: ModelRequest, digest: Digest): string {
	return digest(JSON.stringify([model, system, prompt, schema, outputTokensMax]));
}
